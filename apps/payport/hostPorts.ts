import { Cause, type Context, Effect, Exit, Fiber, Layer } from "effect"
import { Channels } from "../../core/ports/Channels.ts"
import { Documents } from "../../core/ports/Documents.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { MasterKey } from "../../core/ports/MasterKey.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { Store } from "../../core/ports/Store.ts"
import { boundedPorts } from "./boundedPorts.ts"
import { PayportOptionsError } from "./PayportOptions.ts"

/** Ports with an option of their own. Given here, only some parts of payport would use them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  [Channels.key, "channels: defineChannel() of payport/channels makes one"],
  [Store.key, "store"],
  [Documents.key, "store"],
  [RateLeases.key, "store"],
  [MasterKey.key, "secrets.masterKey"],
  [Installation.key, "baseUrl, channels and terms"],
])

const inPorts = (message: string) =>
  new PayportOptionsError({ option: "ports", message: `The option ports ${message}` })

/** How long the host's layers may take to open, such as to connect to their own systems. */
const OPEN_WITHIN = "30 seconds"

/**
 * Opens the host's ports. Fails if they do not open, or not in time, or if one of them has its own
 * option.
 */
export const hostPorts = (ports: Layer.Layer<never>): Layer.Layer<never, PayportOptionsError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      // In a fiber of its own, since a layer may open what cannot be interrupted.
      const opening = yield* Effect.forkDetach(Layer.build(ports))
      const awaited = Effect.onInterrupt(Fiber.await(opening), () =>
        Effect.forkDetach(Fiber.interrupt(opening)),
      )
      const opened = yield* Effect.timeoutOrElse(awaited, {
        duration: OPEN_WITHIN,
        orElse: () => inPorts(`did not open within ${OPEN_WITHIN}: one of its layers waits.`),
      })
      if (Exit.isFailure(opened)) {
        const reason = Cause.pretty(opened.cause).split("\n", 1).join("")
        return yield* inPorts(`did not open: ${reason}`)
      }
      const context: Context.Context<never> = opened.value
      const [misplaced] = Array.from(context.mapUnsafe.keys()).filter((key) => ELSEWHERE.has(key))
      if (misplaced === undefined) return boundedPorts(context)
      const option = ELSEWHERE.get(misplaced) ?? ""
      return yield* inPorts(`holds ${misplaced}, which is given by the option ${option}.`)
    }),
  )
