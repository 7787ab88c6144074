import { Context, type Effect } from "effect"

/** A signed request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What came of sending it: the receiver's answer, or why there was none. */
export interface WebhookOutcome {
  readonly status: number | null
  readonly duration_ms: number
  readonly error?: string
  /** The first KiB of the answer. */
  readonly response?: string
}

/** Sends webhooks to receivers on the public internet, and to nowhere else. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Never fails: every way to fail is an outcome. At most five seconds. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookOutcome>
  }
>()("payport/core/ports/WebhookSender") {}
