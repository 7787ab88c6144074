import { Effect, Layer } from "effect"
import { receiveCallback } from "../../../core/dispatch/receiveCallback.ts"
import type { Channels } from "../../../core/ports/Channels.ts"
import type { Ids } from "../../../core/ports/Ids.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import type { Store } from "../../../core/ports/Store.ts"
import type { Vault } from "../../../core/ports/Vault.ts"
import { CallbackTransport } from "./CallbackTransport.ts"

type Needed = Store | Channels | Ids | Installation | Vault

/** Passes callbacks to the core without a network, for processes that serve no HTTP. */
export const layer: Layer.Layer<CallbackTransport, never, Needed> = Layer.effect(
  CallbackTransport,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needed>()
    return {
      post: (channel, body, signature) =>
        receiveCallback(channel, body, signature).pipe(
          Effect.matchCauseEffect({
            onSuccess: () => Effect.succeed({ status: 200 }),
            onFailure: (cause) => {
              const refused = cause.reasons.every(
                (reason) =>
                  reason._tag === "Fail" &&
                  reason.error._tag === "Failure" &&
                  reason.error.code !== "TEMPORARILY_UNAVAILABLE",
              )
              return refused
                ? Effect.succeed({ status: 400 })
                : Effect.as(Effect.logError("A callback failed.", cause), { status: 500 })
            },
          }),
          Effect.provideContext(context),
        ),
    }
  }),
)
