import { Clock, Effect, Result } from "effect"
import { catchConflict } from "../commits/catchConflict.ts"
import { Ids } from "../ports/Ids.ts"
import { type RevocationOutcome, Revoker } from "../ports/Revoker.ts"
import { type Commit, Store, type StoreUnavailable, type Write } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { type AccessItem, itemKey, revoke } from "./AccessItem.ts"
import {
  afterFailure,
  isProcessed,
  machine,
  type PendingRevocation,
  processedCounter,
  type Revocation,
  type RevocationMove,
} from "./Revocation.ts"
import { batchEvent, targetEvents } from "./RevocationEvent.ts"
import { isByPolicy } from "./RevokeInput.ts"
import { RevocationRetention } from "./RevocationRetention.ts"
import { excess, type KnownTarget, verdict } from "./Verdict.ts"

const move = (revocation: Revocation, event: RevocationMove): Revocation =>
  Result.getOrThrow(machine.step(revocation, event)).record

const keyOf = Effect.fnUntraced(function* ({ target_id, target_type }: Revocation) {
  return itemKey((yield* Vault).sha256, target_type, target_id)
})

const readTarget = Effect.fnUntraced(function* (revocation: Revocation) {
  const store = yield* Store
  const key = yield* keyOf(revocation)
  const [item, others, refund] = yield* Effect.all(
    [
      store.findBy("access_item", { account_id: revocation.account_id, item_key: key }),
      store.isOthersAccessItem(revocation.account_id, key),
      store.find("refund", revocation.refund),
    ],
    { concurrency: "unbounded" },
  )
  const isNamed = refund === undefined || !isByPolicy(refund.revoke)
  return { item, others, isNamed } satisfies KnownTarget
})

/** Makes one attempt. The seller's system is asked only if nothing else prevents the revocation. */
const revokeOnce = Effect.fnUntraced(function* (revocation: PendingRevocation) {
  const target = yield* readTarget(revocation)
  const error = verdict(revocation, target) ?? excess(revocation, target)
  if (error !== undefined) return { type: "failed", error } satisfies RevocationOutcome
  const service = yield* (yield* Store).find("service", revocation.service_id)
  const revoker = yield* Revoker
  return yield* revoker.revoke({
    revocation,
    attempt: revocation.attempts + 1,
    revoke_url: service?.revocation_policy?.revoke_url ?? null,
  })
})

/** Returns the revocation after an outcome, and the write of the item if it lost a scope. */
const decide = Effect.fnUntraced(function* (
  revocation: PendingRevocation,
  outcome: RevocationOutcome,
  at: Timestamp,
) {
  if (outcome.type === "failed") {
    return { next: move(revocation, afterFailure(revocation, outcome.error, at)), writes: [] }
  }
  // Another refund may have revoked the same scope of the target in between.
  const target = yield* readTarget(revocation)
  const error = verdict(revocation, target)
  if (error !== undefined) {
    return { next: move(revocation, afterFailure(revocation, error, at)), writes: [] }
  }
  const attempts = revocation.attempts + 1
  const retention = yield* RevocationRetention
  const next = move(revocation, { type: "revoked", attempts, at, retention })
  return { next, writes: [yield* itemWrite(revocation, target.item, at)] }
})

/**
 * Returns the write of the item with the scope revoked. An unregistered one enters the deny list.
 */
const itemWrite = Effect.fnUntraced(function* (
  revocation: PendingRevocation,
  item: AccessItem | undefined,
  at: Timestamp,
) {
  const { account_id, scope, target_id, target_type } = revocation
  const record = revoke(
    item ?? {
      id: `ai_${(yield* Ids).uuid()}`,
      version: 1,
      account_id,
      type: target_type,
      item_id: target_id,
      item_key: yield* keyOf(revocation),
      payment_intent: null,
      scopes: [],
      revoked: [],
      created_at: at,
    },
    scope,
    at,
  )
  const write: Write = {
    op: item === undefined ? "insert" : "replace",
    kind: "access_item",
    record,
  }
  return write
})

/**
 * Commits a processed target. A counter shows which target is the refund's last one, however many
 * workers there are. That commit holds the batch's event.
 */
const commitProcessed = Effect.fnUntraced(function* (
  next: Revocation,
  writes: ReadonlyArray<Write>,
  at: Timestamp,
) {
  const store = yield* Store
  const ids = yield* Ids
  const creator = (yield* store.find("payment_intent", next.payment_intent))?.account_id
  const accounts = [next.account_id, ...(creator === undefined ? [] : [creator])]
  const counter = processedCounter(next.refund)
  const happenings = targetEvents(next, accounts)
  const commit = (happened: typeof happenings, limit: number) => {
    const outcome: Commit = {
      writes: [{ op: "replace", kind: "revocation", record: next }, ...writes],
      events: happened.flatMap((happening) => eventsFor(happening, ids, at)),
      reservations: [{ counter, add: 1, limit }],
    }
    return store.commit(outcome)
  }
  const last = Effect.gen(function* () {
    const others = yield* store.list("revocation", { by: { refund: next.refund } })
    const batch = others.map((other) => (other.id === next.id ? next : other))
    yield* commit([...happenings, batchEvent(next, batch, accounts, at)], next.batch_size)
  })
  yield* commit(happenings, next.batch_size - 1).pipe(
    catchConflict(
      ({ type }) => type === "limit_reached",
      () => last,
    ),
  )
})

/** Stores the outcome of an attempt, unless the revocation was processed meanwhile. */
const record = Effect.fnUntraced(function* (
  claimed: PendingRevocation,
  outcome: RevocationOutcome,
) {
  const store = yield* Store
  let latest: Revocation | undefined = claimed
  const put = Effect.gen(function* () {
    const current = latest ?? (yield* store.find("revocation", claimed.id))
    latest = undefined
    if (current?.status !== "pending" || current.attempts !== claimed.attempts) return
    const at = yield* Clock.currentTimeMillis
    const { next, writes } = yield* decide(current, outcome, at)
    if (isProcessed(next)) return yield* commitProcessed(next, writes, at)
    yield* store.commit({ writes: [{ op: "replace", kind: "revocation", record: next }] })
  })
  yield* retryConflict(put).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})

/**
 * Handles a claimed revocation (Revocation states): makes the attempt that it is due for and stores
 * the outcome with its events, or expires it after its retention. A failed attempt is repeated
 * after 1, 4 and 16 seconds, for any reason. A crash after the attempt repeats it under the same
 * id.
 */
export const executeRevocation = Effect.fn("executeRevocation")(function* (
  revocation: Revocation,
): Effect.fn.Return<
  void,
  Failure<"TEMPORARILY_UNAVAILABLE"> | StoreUnavailable,
  Store | Ids | Vault | Revoker
> {
  const now = yield* Clock.currentTimeMillis
  if (revocation.due_at === null || now < revocation.due_at) return
  if (revocation.status === "pending") {
    const made = Effect.flatMap(revokeOnce(revocation), (outcome) => record(revocation, outcome))
    return yield* Effect.uninterruptible(made)
  }
  const expired = move(revocation, { type: "retained" })
  const store = yield* Store
  yield* store
    .commit({ writes: [{ op: "replace", kind: "revocation", record: expired }] })
    .pipe(Effect.catchTag("Conflict", () => Effect.void))
})
