import { Schema } from "effect"
import { type HeardCallback, HEARD_RESULTS, HEARD_STATUSES } from "../gateway/HeardCallback.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import type { Posting } from "../ledger/Posting.ts"
import { entryView, EntryView } from "../ledger/Statement.ts"
import { type PaymentIntent, SHOWN_STATUSES, shownStatus } from "../payments/PaymentIntent.ts"
import type { Refund } from "../refunds/Refund.ts"
import { RefundView } from "../refunds/RefundView.ts"
import type { Revocation } from "../revocations/Revocation.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { type Delivery, deliveryView, DeliveryView } from "../webhooks/deliveries/Delivery.ts"
import { type Event, eventView, EventView } from "../webhooks/events/Event.ts"

const RequestView = Schema.Struct({
  id: Schema.String.annotate({
    description: "The number under which the channel knows the request.",
  }),
  action: Schema.Literals(["capture", "release", "close", "refund", "debit"]).annotateKey({
    description: "What the channel was asked to do.",
  }),
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  status: Schema.Literals(["outstanding", "unknown", "done", "refused"]).annotateKey({
    description: "The channel's answer. If it is `unknown`, the channel is asked again.",
  }),
  attempts: Schema.Int.annotate({ description: "The number of calls and queries to the channel." }),
  amount: Amount,
  trade_no: Schema.NullOr(Schema.String).annotateKey({
    description: "The channel's transaction number; null if it has given none yet.",
  }),
  refund: Schema.NullOr(Schema.String).annotateKey({
    description: "The id of the refund; null for other requests.",
  }),
  failure: Schema.optionalKey(Schema.String).annotate({ description: "Why the channel refused." }),
})

const CallbackView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The callback's id." }),
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  about: Schema.Literals(["charge", "refund"]).annotateKey({
    description: "Whether the message is about a charge or a refund.",
  }),
  number: Schema.String.annotate({
    description: "The channel's number of the trade, or our number of the refund request.",
  }),
  status: Schema.Literals(HEARD_STATUSES).annotate({
    description: "The status that the channel reported.",
  }),
  result: Schema.Literals(HEARD_RESULTS).annotate({
    description:
      "The result of the message. `late`: the money is returned. `contradicts` and " +
      "`refused` are also in the reconciliation report.",
  }),
  times: Schema.Int.annotate({
    description: "The minimum number of times that the channel has sent the message.",
  }),
  last_at: Time.annotate({ description: "When the message last arrived." }),
})

const RefundStep = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The refund's id." }),
  status: RefundView.fields.status.annotateKey({ description: "The current state." }),
  amount: Amount,
  reason: Schema.NullOr(Schema.String).annotateKey({
    description: "The payee's reason for the refund.",
  }),
})

const RevocationStep = Schema.Struct({
  refund: Schema.String.annotateKey({ description: "The refund's id." }),
  target_type: Schema.String.annotateKey({ description: "The kind of access item." }),
  target_id: Schema.String.annotateKey({
    description: "The access item's id, chosen by the seller.",
  }),
  scope: Schema.String.annotateKey({
    description: "The scope of the access, such as `read:detail` or `all`.",
  }),
  status: Schema.Literals(["pending", "revoked", "failed", "expired"]).annotateKey({
    description: "The current state.",
  }),
  attempts: Schema.Int.annotateKey({ description: "The number of attempts so far." }),
  error: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotateKey({ description: "The error code, for programs." }),
      message: Schema.String.annotateKey({ description: "The error message, for people." }),
    }),
  ).annotateKey({ description: "Why the last attempt failed; null if it did not fail." }),
})

const entry = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({
    type: Schema.Literal(type).annotateKey({
      description: "The kind of entry. The field of that name has the details.",
    }),
    at: Time.annotateKey({ description: "The time of the entry." }),
    ...fields,
  })

const TimelineEntry = Schema.Union([
  entry("status", {
    status: Schema.Literals(SHOWN_STATUSES).annotateKey({
      description: "The payment's new state.",
    }),
  }),
  entry("channel_request", {
    channel_request: RequestView.annotateKey({ description: "What the channel was asked to do." }),
  }),
  entry("callback", {
    callback: CallbackView.annotateKey({ description: "The channel's message." }),
  }),
  entry("refund", {
    refund: RefundStep.annotateKey({ description: "The refund in its current state." }),
  }),
  entry("journal", {
    journal: Schema.Array(EntryView).annotateKey({
      description: "The rows that were entered in the ledger.",
    }),
  }),
  entry("revocation", {
    revocation: RevocationStep.annotateKey({ description: "The revocation of an access item." }),
  }),
  entry("event", { event: EventView.annotateKey({ description: "The event that was sent." }) }),
  entry("delivery", {
    delivery: DeliveryView.annotateKey({ description: "The delivery of an event." }),
  }),
]).annotate({
  identifier: "TimelineEntry",
  description: "One thing that happened to a payment.",
  examples: [{ type: "status", at: "2026-01-31T08:00:00.000Z", status: "pending" }],
})
/** An entry of a payment's timeline. */
export type TimelineEntry = typeof TimelineEntry.Type

/** The timeline of a payment, as one of its parties may see it. */
export const TimelineView = Schema.Struct({
  data: Schema.Array(TimelineEntry).annotateKey({ description: "The entries, oldest first." }),
  complete: Schema.Boolean.annotate({
    description: "Whether the list is complete. If not, it has the oldest entries of each kind.",
  }),
}).annotate({
  identifier: "PaymentTimeline",
  description:
    "The history of a payment, oldest first, as far as the caller may see it: states, " +
    "callbacks of the channel and calls to it (payee), refunds, revocations, journals of " +
    "the ledger, events and deliveries.",
  examples: [
    {
      data: [
        { type: "status", at: "2026-01-31T08:00:00.000Z", status: "pending" },
        { type: "status", at: "2026-01-31T08:00:09.000Z", status: "scanning" },
      ],
      complete: true,
    },
  ],
})

/** The records of a timeline, each kind in its own order. */
export interface TimelineRecords {
  readonly intent: PaymentIntent
  readonly requests: ReadonlyArray<ChannelRequest>
  readonly callbacks: ReadonlyArray<HeardCallback>
  readonly refunds: ReadonlyArray<Refund>
  readonly revocations: ReadonlyArray<Revocation>
  readonly postings: ReadonlyArray<Posting>
  readonly events: ReadonlyArray<Event>
  readonly deliveries: ReadonlyArray<Delivery>
}

interface Dated {
  readonly at: Timestamp
  readonly shown: TimelineEntry
}

type Said<E> = E extends TimelineEntry ? Omit<E, "at"> : never

const dated = (at: Timestamp, said: Said<TimelineEntry>): Dated => ({
  at,
  shown: { ...said, at: toIso(at) },
})

type Moments = Partial<
  Record<"scanned_at" | "authorized_at" | "captured_at" | "succeeded_at" | "ended_at", Timestamp>
>

/** Returns the known states of the payment, each with its time. */
const statesOf = (intent: PaymentIntent): ReadonlyArray<Dated> => {
  const moments = intent as Moments
  const states = [
    [moments.scanned_at, "scanning"],
    [moments.authorized_at, "authorized"],
    [moments.captured_at, "captured"],
    [moments.succeeded_at ?? moments.ended_at, shownStatus(intent)],
  ] as const
  return states.flatMap(([at, status]) =>
    at === undefined ? [] : [dated(at, { type: "status", status })],
  )
}

/** Returns when the revocation ended, or else when it was requested. */
const revokedAt = (revocation: Revocation): Timestamp => {
  if ("revoked_at" in revocation) return revocation.revoked_at
  return "failed_at" in revocation ? revocation.failed_at : revocation.created_at
}

const journalsOf = (postings: ReadonlyArray<Posting>): ReadonlyArray<Dated> =>
  [...Map.groupBy(postings, ({ journal }) => journal).values()].flatMap((rows) => {
    const [first] = rows
    const journal = rows.map(entryView)
    return first === undefined ? [] : [dated(first.created_at, { type: "journal", journal })]
  })

/**
 * Returns the entries of a timeline, oldest first. At the same time, causes come before effects:
 * requests, the payment's status, money, and then notifications.
 */
export const timelineOf = (records: TimelineRecords): ReadonlyArray<TimelineEntry> =>
  [
    dated(records.intent.created_at, { type: "status", status: "pending" }),
    ...records.refunds.map((refund) =>
      dated(refund.created_at, { type: "refund", refund: shownAs(RefundStep, refund) }),
    ),
    ...records.requests.map((request) => {
      const channel_request = shownAs(RequestView, request)
      return dated(request.created_at, { type: "channel_request", channel_request })
    }),
    ...records.callbacks.map((heard) => {
      const callback = shownAs(CallbackView, heard)
      return dated(heard.created_at, { type: "callback", callback })
    }),
    ...statesOf(records.intent),
    ...journalsOf(records.postings),
    ...records.revocations.map((asked) => {
      const revocation = shownAs(RevocationStep, asked)
      return dated(revokedAt(asked), { type: "revocation", revocation })
    }),
    ...records.events.map((event) =>
      dated(event.created_at, { type: "event", event: eventView(event) }),
    ),
    ...records.deliveries.map((delivery) =>
      dated(delivery.created_at, { type: "delivery", delivery: deliveryView(delivery) }),
    ),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ shown }) => shown)
