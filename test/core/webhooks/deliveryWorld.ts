import { Clock, Effect, Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../../core/ports/WebhookSender.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { anAccount, anEvent, aService, id, uuid } from "../../support/records.ts"

export const SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
export const LEASE = 30 * SECOND

/** The wall clock's time, months away from the service's. */
export const WALL: Timestamp = 1_790_000_000_000

/** A request that a receiver got, with the service's time. */
export interface Received extends WebhookRequest {
  readonly at: Timestamp
}

/** A receiver that gives these answers in order, and then repeats the last. */
export const receiver = (
  ...answers: ReadonlyArray<WebhookOutcome | Effect.Effect<WebhookOutcome>>
) => {
  const received: Array<Received> = []
  const layer = Layer.succeed(WebhookSender, {
    send: Effect.fnUntraced(function* (request: WebhookRequest) {
      const answer = answers[Math.min(received.length, answers.length - 1)]
      received.push({ ...request, at: yield* Clock.currentTimeMillis })
      if (answer === undefined) throw new Error("a receiver needs an answer")
      return Effect.isEffect(answer) ? yield* answer : answer
    }),
  })
  return { received, layer }
}

export const answer = (status: number): WebhookOutcome => ({ status, duration_ms: 3 })

const vault = makeVault(new Uint8Array(32).fill(1))

const account = anAccount({
  webhook_secret: vault.seal(webhookSecretPlace(id("acct", 1)), SECRET),
})

/** A store with account 1, its service 1 and event 1, and the ports that the verbs need. */
export const world = Layer.mergeAll(
  Layer.effectDiscard(
    Effect.flatMap(Store, (store) =>
      store.commit({
        writes: [
          { op: "insert", kind: "account", record: account },
          { op: "insert", kind: "service", record: aService() },
        ],
        events: [anEvent()],
      }),
    ),
  ),
  Layer.succeed(Vault, vault),
  Layer.sync(Ids, () => {
    let n = 1_000
    return { uuid: () => uuid(++n) }
  }),
  Layer.succeed(WallClock, { now: Effect.succeed(WALL) }),
).pipe(Layer.provideMerge(MemoryStore.layer))

/** Claims what is due now. */
export const claim = Effect.fnUntraced(function* <K extends "event" | "delivery" | "feed">(
  kind: K,
) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  return yield* store.claimDue(kind, now, { limit: 10, lease: LEASE })
})

/** The store, which dies at a commit: a crash before the commit is stored. */
export const killedAtCommit = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Store, (store) =>
    Effect.provideService(self, Store, { ...store, commit: () => Effect.die("killed") }),
  )
