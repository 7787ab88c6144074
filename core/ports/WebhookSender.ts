import { Context, type Effect } from "effect"
import type { WebhookOutcome } from "../webhooks/deliveries/WebhookOutcome.ts"

/** A signed request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export type { WebhookOutcome } from "../webhooks/deliveries/WebhookOutcome.ts"

/** Sends webhooks to receivers on the public internet only. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Never fails: every failure is an outcome. Takes at most five seconds. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookOutcome>
  }
>()("payport/core/ports/WebhookSender") {}
