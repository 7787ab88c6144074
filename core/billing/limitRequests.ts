import { Clock, Context, Deferred, Effect, Exit, Layer } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import { type Lease, RateLeases } from "../ports/RateLeases.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import { CurrentDeadline, NO_DEADLINE } from "../shared/CurrentDeadline.ts"
import type { Failure } from "../shared/Failure.ts"
import { HOUR, type Timestamp } from "../shared/Timestamp.ts"
import type { PlanTable } from "./Plan.ts"
import {
  type RateClass,
  rateLimit,
  type Standing,
  tooManyRequests,
  windowOf,
} from "./RateWindow.ts"
import { type Bucket as BucketOf, Tokens } from "./Tokens.ts"

/** The rest of the caller's window, and why the request is refused, if it is. */
export interface Admission {
  readonly standing: Standing
  readonly refusal: Failure<"RATE_LIMIT_EXCEEDED"> | null
}

interface Limits {
  readonly admit: (
    account: Account,
    rate_class: RateClass,
  ) => Effect.Effect<Admission, StoreUnavailable>
}

/** Limits accounts to the rates of their plans; null without limits. */
export const RequestLimits = Context.Reference<Limits | null>(
  "payport/core/billing/RequestLimits",
  { defaultValue: () => null },
)

/** How long past windows are kept for processes with late clocks, in milliseconds. */
const KEPT = 2 * HOUR

/** A waiting request: completed with true when admitted, with false when the window is used up. */
type Waiter = Deferred.Deferred<boolean, StoreUnavailable>

type Bucket = BucketOf<Waiter>

/** Completes the waiting requests of a bucket after its lease. */
const tell = (bucket: Bucket, wanted: number, lease: Lease): void => {
  const { refused, served } = bucket.receive(wanted, lease)
  for (const waiter of served) Deferred.doneUnsafe(waiter, Effect.succeed(true))
  for (const waiter of refused) Deferred.doneUnsafe(waiter, Effect.succeed(false))
}

/**
 * Makes a function that waits for a request of a bucket. It leases for all waiting requests
 * together, one query at a time.
 */
const makeWait = (leases: RateLeases["Service"]) => {
  let wanting = new Set<Bucket>()
  let isAsking = false
  let purgedAt: Timestamp = -Infinity

  const purge = Effect.fnUntraced(
    function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - purgedAt < HOUR) return
      purgedAt = now
      yield* leases.purge(windowOf(now) - KEPT)
    },
    Effect.catchCause((cause) =>
      Effect.logWarning("Old rate windows could not be removed.", cause),
    ),
  )

  const ask = Effect.fnUntraced(function* () {
    // An earlier lease may have served requests that arrived meanwhile.
    const waiting = [...wanting].filter((bucket) => bucket.waiting.length > 0)
    // A query names a window once; the old and the new bucket of a changed plan take turns.
    const buckets = [...new Map(waiting.map((bucket) => [bucket.name, bucket])).values()]
    wanting = new Set(waiting.filter((bucket) => !buckets.includes(bucket)))
    if (buckets.length === 0) return
    const wishes = buckets.map((bucket) => bucket.wish())
    const exit = yield* Effect.exit(leases.lease(wishes))
    for (const [index, bucket] of buckets.entries()) {
      if (Exit.isFailure(exit)) {
        const failure = Exit.failCause(exit.cause)
        for (const waiter of bucket.waiting.splice(0)) Deferred.doneUnsafe(waiter, failure)
      } else {
        tell(bucket, wishes[index]?.wanted ?? 1, exit.value[index] ?? { granted: 0, left: 0 })
        if (bucket.waiting.length > 0) wanting.add(bucket)
      }
    }
  })

  const askAll = Effect.gen(function* () {
    while (wanting.size > 0) yield* ask()
  }).pipe(
    Effect.ensuring(Effect.sync(() => (isAsking = false))),
    Effect.andThen(purge()),
    // The loop continues for later requests, beyond the deadline of the request that started it.
    Effect.provideService(CurrentDeadline, NO_DEADLINE),
  )

  return Effect.fnUntraced(function* (bucket: Bucket) {
    const waiter = Deferred.makeUnsafe<boolean, StoreUnavailable>()
    bucket.waiting.push(waiter)
    wanting.add(bucket)
    if (!isAsking) {
      isAsking = true
      yield* Effect.forkDetach(askAll)
    }
    return yield* Deferred.await(waiter)
  })
}

const make = Effect.fnUntraced(function* (plans: PlanTable) {
  const wait = makeWait(yield* RateLeases)
  const tokens = new Tokens<Waiter>()

  const tryClass = Effect.fnUntraced(function* (
    { id, plan }: Account,
    rate_class: RateClass,
    now: Timestamp,
  ) {
    const bucket = tokens.bucket(id, rate_class, windowOf(now), rateLimit(plans[plan], rate_class))
    const admitted = bucket.take() || (!bucket.spent && (yield* wait(bucket)))
    return { admitted, standing: bucket.standing(now) }
  })

  const tryClasses = Effect.fnUntraced(function* (
    account: Account,
    rate_class: RateClass,
    now: Timestamp,
  ) {
    const first = yield* tryClass(account, "standard", now)
    const { admitted, standing } =
      first.admitted || rate_class === "standard"
        ? first
        : yield* tryClass(account, rate_class, now)
    return { standing, refusal: admitted ? null : tooManyRequests(plans, account.plan, standing) }
  })

  /** Most requests are admitted from this process's lease. */
  const admit: Limits["admit"] = (account, rate_class) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const limit = rateLimit(plans[account.plan], "standard")
      const bucket = tokens.bucket(account.id, "standard", windowOf(now), limit)
      return bucket.take()
        ? Effect.succeed({ standing: bucket.standing(now), refusal: null })
        : tryClasses(account, rate_class, now)
    })

  const limits: Limits = { admit }
  return limits
})

/**
 * Limits accounts to the rates of their plans (Monthly plans), together with all other processes on
 * the same leases. A process leases slices of an account's window and hands them out itself. Once a
 * window is used up, it refuses without a query.
 */
export const layer = (plans: PlanTable): Layer.Layer<never, never, RateLeases> =>
  Layer.effect(RequestLimits, make(plans))

/**
 * Counts a request of the caller; null without limits. Requests of the class `reserve` use their
 * own part when the others are used up.
 *
 * Fails with `StoreUnavailable` when the window cannot be read.
 */
export const admitRequest = ({ account }: Caller, rate_class: RateClass) =>
  Effect.flatMap(RequestLimits, (limits): Effect.Effect<Admission | null, StoreUnavailable> =>
    limits === null ? Effect.succeed(null) : limits.admit(account, rate_class),
  )
