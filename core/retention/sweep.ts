import { Clock, type Duration, Effect, Metric } from "effect"
import { find } from "../channels/Channel.ts"
import { leave } from "../payments/leave.ts"
import { KEPT_UNPAID, leavesAt } from "../payments/PaymentIntent.ts"
import { ArchivedUntil } from "../ports/ArchivedUntil.ts"
import { Installation } from "../ports/Installation.ts"
import {
  type Conflict,
  type Records,
  Store,
  type StoreUnavailable,
  type Write,
} from "../ports/Store.ts"
import { drawnAt } from "../shared/Id.ts"
import { DAY, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import {
  CurrentRetention,
  deliveryMayLeave,
  eventMayLeave,
  type Kept,
  requestMayLeave,
} from "./Retention.ts"

/** The most records that a step reads, and that one commit removes. */
const STEP = 200

/** Replies are removed without being read. */
const REPLY_STEP = 1_000

/** An unpaid payment is removed with its dependent records, so that a step has fewer of them. */
const UNPAID_STEP = 50

/** After this many conflicts in a row, the rest is left to the concurrent worker. */
const MOST_CONFLICTS = 5

const removed = Metric.counter("payport_retention_removed_total", {
  description: "Rows that have left because their time was over, by kind.",
  incremental: true,
})
const oldest = Metric.gauge("payport_retention_oldest_seconds", {
  description: "Age of the oldest row at the last look, by kind.",
})

/** The result of a step. */
interface Step {
  readonly removed: number
  /** The creation time of the first record that it read; undefined if it read none. */
  readonly first: Timestamp | undefined
  /** The position of the next step; undefined if no further records are old enough. */
  readonly next: string | undefined
}

/** The kinds that are read in the order of their ids, which is the order of creation. */
type Walked = Exclude<Kept, "reply" | "unpaid">

/** Selects, among records that are old enough, those that are no longer needed. */
type Choice<K extends Walked> = (
  old: ReadonlyArray<Records[K]>,
  now: Timestamp,
) => Effect.Effect<ReadonlyArray<Records[K]>, StoreUnavailable, Store | Installation>

const events: Choice<"event"> = Effect.fnUntraced(function* (old) {
  const store = yield* Store
  const left = yield* store.list("delivery", { by: { event_id: old.map(({ id }) => id) } })
  const of = Map.groupBy(left, ({ event_id }) => event_id)
  return old.filter((event) => eventMayLeave(event, of.get(event.id) ?? []))
})

const requests: Choice<"channel_request"> = Effect.fnUntraced(function* (old, now) {
  const store = yield* Store
  const { catalog } = yield* Installation
  const ids = [...new Set(old.map(({ payment_intent }) => payment_intent))]
  const found = yield* store.findMany("payment_intent", ids)
  const payments = new Map(found.map((intent) => [intent.id, intent]))
  return old.filter((request) => {
    const payment = payments.get(request.payment_intent)
    return requestMayLeave(request, payment, find(catalog, payment?.channel ?? ""), now)
  })
})

const walk = <K extends Walked>(kind: K, choose: Choice<K>) =>
  Effect.fnUntraced(function* (
    after: string | undefined,
  ): Effect.fn.Return<Step, StoreUnavailable | Conflict, Store | Installation> {
    const store = yield* Store
    const now = yield* Clock.currentTimeMillis
    const archived = yield* (yield* ArchivedUntil)(kind)
    const before = now - (yield* CurrentRetention)[kind]
    const page = yield* store.scan(kind, { after, limit: STEP })
    const young = page.findIndex(
      ({ created_at, id }) => created_at > before || drawnAt(id) >= archived,
    )
    const old = young < 0 ? page : page.slice(0, young)
    const leaving = old.length === 0 ? [] : yield* choose(old, now)
    if (leaving.length > 0) {
      const writes = leaving.map((record) => ({ op: "remove", kind, record }) as Write)
      yield* store.commit({ writes })
    }
    return {
      removed: leaving.length,
      first: page[0]?.created_at,
      next: old.length === STEP ? old.at(-1)?.id : undefined,
    }
  })

const replies = Effect.fnUntraced(function* (): Effect.fn.Return<Step, StoreUnavailable, Store> {
  const store = yield* Store
  const first = yield* store.oldestReply()
  const gone = yield* store.purgeReplies(yield* Clock.currentTimeMillis, REPLY_STEP)
  return { removed: gone, first, next: gone === REPLY_STEP ? "" : undefined }
})

/**
 * Payments that become due sooner are left to the worker. All others are due at the time of the
 * sweep.
 */
const SOON = 2 * DAY

/** Removes payments that nobody has begun to pay before they become due. */
const unpaid = Effect.fnUntraced(function* (): Effect.fn.Return<
  Step,
  StoreUnavailable | Conflict,
  Effect.Services<ReturnType<typeof leave>>
> {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const early = KEPT_UNPAID - (yield* CurrentRetention).unpaid
  const intents = yield* store.listLeaving(now + SOON, UNPAID_STEP)
  const [first] = intents.flatMap((intent) => ("ended_at" in intent ? [intent.ended_at] : []))
  const old = intents.filter((intent) => Number(leavesAt(intent)) <= now + early)
  if (old.length > 0) yield* leave(old)
  return { removed: old.length, first, next: old.length === UNPAID_STEP ? "" : undefined }
})

type Services = Installation | Effect.Services<ReturnType<typeof leave>>

type StepOf = (
  after: string | undefined,
) => Effect.Effect<Step, StoreUnavailable | Conflict, Services>

const STEPS: { readonly [K in Kept]: StepOf } = {
  delivery: walk("delivery", (old) => Effect.succeed(old.filter(deliveryMayLeave))),
  // After the deliveries, which keep their events.
  event: walk("event", events),
  channel_request: walk("channel_request", requests),
  callback: walk("callback", Effect.succeed),
  reply: replies,
  unpaid,
}

const measures = (kind: Kept) => ({
  count: Metric.withAttributes(removed, { kind }),
  age: Metric.withAttributes(oldest, { kind }),
})

/** Created once: a metric registers its name and attributes at its first use. */
const MEASURES: { readonly [K in Kept]: ReturnType<typeof measures> } = {
  delivery: measures("delivery"),
  event: measures("event"),
  channel_request: measures("channel_request"),
  callback: measures("callback"),
  reply: measures("reply"),
  unpaid: measures("unpaid"),
}

const sweepKind = Effect.fnUntraced(function* (kind: Kept, pause: Duration.Input) {
  const { age, count } = MEASURES[kind]
  const step = STEPS[kind]
  let after: string | undefined
  let conflicts = 0
  for (let steps = 0; ; steps += 1) {
    const made = yield* Effect.catchTag(step(after), "Conflict", () => Effect.undefined)
    if (made === undefined) {
      conflicts += 1
      if (conflicts === MOST_CONFLICTS) return
    } else {
      if (steps === 0) {
        const now = yield* Clock.currentTimeMillis
        yield* Metric.update(age, Math.max(now - (made.first ?? now), 0) / SECOND)
      }
      yield* Metric.update(count, made.removed)
      if (made.next === undefined) return
      conflicts = 0
      after = made.next
    }
    yield* Effect.sleep(pause)
  }
})

/**
 * Removes data that is older than its retention and no longer needed, in small steps with `pause`
 * between them. Two workers may run at once: a commit that removes what is already gone, or has
 * changed, is refused as a whole, and its step is repeated. A kind that fails keeps no other from
 * being removed, and fails the sweep at its end.
 */
export const sweep = Effect.fn("sweep")(function* (pause: Duration.Input) {
  const kinds = Object.keys(STEPS) as ReadonlyArray<Kept>
  const ends = yield* Effect.forEach(kinds, (kind) => Effect.exit(sweepKind(kind, pause)))
  for (const end of ends) yield* end
})
