import { Clock, Effect, Semaphore } from "effect"
import { expireIntent } from "../payments/expireIntent.ts"
import { resolveChannelRequest } from "../payments/settleRequest.ts"
import { type DueKind, type Records, Store, type StoreUnavailable } from "../ports/Store.ts"
import { purgeService } from "../registry/purgeService.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { attemptDelivery } from "../webhooks/attemptDelivery.ts"
import { dispatchEvent } from "../webhooks/dispatchEvent.ts"
import { attempt } from "./attempt.ts"

/** How long a claimed record is this worker's alone. */
export const LEASE = 30 * SECOND

/** No verb runs longer than this; one is begun only while so much is left of the lease. */
const LONGEST = 10 * SECOND

/** Attempts that one receiver gets at a time; the others wait, and only for this receiver. */
const PER_RECEIVER = 8

/** A claimed record's work. It never fails; true when it was done. */
export type Job<R> = Effect.Effect<boolean, never, R>

/** What looks after one kind of record. */
export interface Lane<R> {
  readonly kind: DueKind
  /** How many jobs may be under way at a time. */
  readonly width: number
  /** Claims up to `limit` due records, earliest first, and returns their jobs in that order. */
  readonly claim: (
    now: Timestamp,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Job<R>>, StoreUnavailable, Store>
}

/** Holds a job back until its turn has come. */
type Gate<K extends DueKind> = <A, E, R>(
  record: Records[K],
  self: Effect.Effect<A, E, R>,
) => Effect.Effect<A, E, R>

const makeLane = <K extends DueKind, E, R>(
  kind: K,
  width: number,
  verb: (record: Records[K]) => Effect.Effect<unknown, E, R>,
  gate: Gate<K> = (_record, self) => self,
): Lane<R> => ({
  kind,
  width,
  claim: Effect.fnUntraced(function* (now, limit) {
    const store = yield* Store
    const records = yield* store.claimDue(kind, now, { limit, lease: LEASE })
    return records.map((record) =>
      attempt(kind, record.id, gate(record, whileOurs(now, verb(record)))),
    )
  }),
})

/** Leaves a record alone whose lease is about to end: somebody else may hold it by then. */
const whileOurs = <A, E, R>(claimedAt: Timestamp, self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - claimedAt > LEASE - LONGEST ? Effect.succeed(false) : Effect.as(self, true),
  )

/** Lets each receiver have a few attempts at a time, so that a slow one is slow for itself. */
const perReceiver = (): Gate<"delivery"> => {
  const places = new Map<string, { readonly semaphore: Semaphore.Semaphore; users: number }>()
  return ({ service_id: receiver }, self) =>
    Effect.suspend(() => {
      const place = places.get(receiver) ?? {
        semaphore: Semaphore.makeUnsafe(PER_RECEIVER),
        users: 0,
      }
      places.set(receiver, place)
      place.users += 1
      return Effect.ensuring(
        place.semaphore.withPermit(self),
        Effect.sync(() => {
          place.users -= 1
          if (place.users === 0) places.delete(receiver)
        }),
      )
    })
}

/**
 * The work that records of the store fall due for: expiry of intents, channel requests without an
 * answer, events to be told, deliveries to be attempted, deleted services to be forgotten.
 */
export const makeLanes = () =>
  [
    makeLane("payment_intent", 64, expireIntent),
    makeLane("channel_request", 32, resolveChannelRequest),
    makeLane("event", 64, dispatchEvent),
    makeLane("delivery", 256, attemptDelivery, perReceiver()),
    makeLane("service", 8, purgeService),
  ] as const

/** Everything that the lanes' jobs need of the world. */
export type JobServices = Effect.Services<
  Effect.Success<ReturnType<ReturnType<typeof makeLanes>[number]["claim"]>>[number]
>
