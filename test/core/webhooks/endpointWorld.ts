import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../../core/ports/WebhookSender.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { anAccount, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

export const SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"

/** The wall clock's time, months away from the service's. */
export const WALL: Timestamp = 1_790_000_000_000

const vault = makeVault(new Uint8Array(32).fill(7))

/** A secret as the world's vault opens it. */
export const sealed = (place: string, text: string): string => vault.seal(place, text)

export interface Received extends WebhookRequest {
  readonly at: Timestamp
}

/** A receiver's answer to the nth of all requests, from 0, at the service's time. */
type Answer = (n: number, at: Timestamp, request: WebhookRequest) => WebhookOutcome

/** Runs a test in a world with account 1 at T0 and these receivers, and collects their requests. */
export const withWorld =
  (answer: Answer) =>
  <A, E, R>(test: (received: ReadonlyArray<Received>) => Effect.Effect<A, E, R>) => {
    const received: Array<Received> = []
    const sender = Layer.succeed(WebhookSender, {
      send: (request: WebhookRequest) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          received.push({ ...request, at })
          return answer(received.length - 1, at, request)
        }),
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const store = yield* Store
      yield* store.commit({ writes: [{ op: "insert", kind: "account", record: anAccount() }] })
      return yield* test(received)
    }).pipe(
      Effect.provide(sender),
      Effect.provide(Layer.succeed(WallClock, { now: Effect.succeed(WALL) })),
      Effect.provide(world(makeScript())),
    )
  }
