import { Context, type Effect } from "effect"

/** The HTTP status that answered a callback; null when there was no answer. */
export type CallbackAnswer = { readonly status: number } | { readonly status: null }

/** The transport from the sandbox's channels to the service's callback route (Channel callback). */
export class CallbackTransport extends Context.Service<
  CallbackTransport,
  {
    /** Sends the body with its `X-Channel-Signature`. Never fails. */
    readonly post: (
      channel: string,
      body: Uint8Array,
      signature: string,
    ) => Effect.Effect<CallbackAnswer>
  }
>()("payport/adapters/channels/sandbox/CallbackTransport") {}
