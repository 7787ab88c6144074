import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import type { IdSource } from "../../shared/Id.ts"
import { Schema } from "effect"
import { NOBODY } from "../../shared/Nobody.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { shownAs } from "../../shared/View.ts"
import { Time } from "../../shared/Wire.ts"

/**
 * The form of the body of an event's delivery (Events): `{type, data}` for payments and everything
 * else an account is told, `{type, data, created_at}` for identities, `{event, data}` for
 * revocations. Each also has `id` and `created`.
 */
export type EventFamily = "payment" | "kyc" | "revocation"

/**
 * The `data` of each event by the event's name. Each concept adds its own where it declares the
 * Schema, so that this folder knows none:
 *
 * ```ts
 * declare module "../webhooks/events/Event.ts" {
 *   interface EventData {
 *     readonly "budget.alert": typeof BudgetAlert.Type
 *   }
 * }
 * ```
 */
export interface EventData {}

/** The name of an event. */
export type EventType = keyof EventData

/** An event's name with its data. */
export type EventContent<T extends EventType = EventType> = {
  readonly [N in T]: { readonly type: N; readonly data: EventData[N] }
}[T]

/** All events, with the family whose envelope each has (Events). */
const FAMILIES: { readonly [T in EventType]: EventFamily } = {
  "payment_intent.succeeded": "payment",
  "payment_intent.failed": "payment",
  "payment_intent.expired": "payment",
  "payment_intent.cancelled": "payment",
  "revocation.succeeded": "revocation",
  "revocation.failed": "revocation",
  "revocation.batch.completed": "revocation",
  "refund.succeeded": "payment",
  "refund.failed": "payment",
  "refund.requested": "payment",
  "refund.declined": "payment",
  "refund.withdrawn": "payment",
  "kyc.verified": "kyc",
  "kyc.rejected": "kyc",
  "kyc.expiring": "kyc",
  "kyc.expired": "kyc",
  "webhook.delivery.succeeded": "payment",
  "webhook.delivery.retrying": "payment",
  "webhook.delivery.failed": "payment",
  "webhook_endpoint.disabled": "payment",
  "budget.alert": "payment",
  "api_key.created": "payment",
  "api_key.rolled": "payment",
  "api_key.revoked": "payment",
  "subscription.created": "payment",
  "subscription.renewed": "payment",
  "subscription.past_due": "payment",
  "subscription.recovered": "payment",
  "subscription.cancel_scheduled": "payment",
  "subscription.cancelled": "payment",
  "invoice.created": "payment",
  "invoice.paid": "payment",
  "invoice.overdue": "payment",
  "invoice.voided": "payment",
  "invoice.uncollectible": "payment",
  ping: "payment",
}

/** The names of all events, in the order of `FAMILIES`. */
export const EVENT_TYPES = Object.keys(FAMILIES) as ReadonlyArray<EventType>

/** Names that an endpoint may enable although no such event exists here. */
const RESERVED = ["escrow.held", "escrow.released", "escrow.dispute.created"] as const

/** The names that `enabled_events` may list besides `*`. */
export const ENABLED_NAMES = [...EVENT_TYPES, ...RESERVED]

/** Returns the event's family. */
export const familyOf = (type: EventType): EventFamily => FAMILIES[type]

/** Returns whether the event reports a delivery. Deliveries of such an event are not reported. */
export const isDeliveryEvent = (type: EventType): boolean => type.startsWith("webhook.delivery.")

const BY_NAME_ONLY = /^(webhook\.delivery|refund|api_key)\./

/** Returns whether an event goes only to endpoints that name it: `*` does not include it. */
const byNameOnly = (type: EventType): boolean => BY_NAME_ONLY.test(type)

/** Returns whether an endpoint with these `enabled_events` gets events of that type. */
export const enables = (enabled: ReadonlyArray<string>, type: EventType): boolean =>
  enabled.includes(type) || (enabled.includes("*") && !byNameOnly(type))

/** Returns whether the service's own endpoint gets the event: payments and revocations. */
export const goesToService = (type: EventType): boolean =>
  type.startsWith("payment_intent.") || familyOf(type) === "revocation"

/**
 * Something that happened, in the log of the account it concerns. It is committed together with its
 * cause. A worker makes its deliveries afterwards.
 */
export interface Event {
  /** `evt_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly type: EventType
  /** The service it is about, whose own endpoint is told too; null without one. */
  readonly service_id: string | null
  /** The payment intent or other record that it is about. */
  readonly subject_id: string
  /** The `data` of the envelope, as it is delivered. */
  readonly data: { readonly [field: string]: unknown }
  /** The W3C Trace Context of its cause, which its deliveries continue; null without a trace. */
  readonly traceparent: string | null
  readonly created_at: Timestamp
  /** When its deliveries are to be made; null once they have been. */
  readonly due_at: Timestamp | null
}

/** An event and the accounts whose logs get it. An account named twice gets it once. */
export type Happening = EventContent &
  Pick<Event, "service_id" | "subject_id"> & { readonly accounts: ReadonlyArray<string> }

/** Returns the events of what happened at `at`: one for each account, due at once. */
export const eventsFor = (
  { accounts, ...said }: Happening,
  ids: IdSource,
  at: Timestamp,
): ReadonlyArray<Event> =>
  [...new Set(accounts)]
    .filter((one) => one !== NOBODY)
    .map((account_id) => ({
      id: `evt_${ids.uuid()}`,
      version: 1,
      account_id,
      ...said,
      traceparent: null,
      created_at: at,
      due_at: at,
    }))

/** An event as its account's log shows it. */
export const EventView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The event's id. Use it to detect duplicates." }),
  type: Schema.String.annotateKey({ description: "The event's name." }),
  service_id: Schema.NullOr(Schema.String).annotateKey({
    description: "The id of the service; null for other events.",
  }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
    description: "The event's data. Its fields depend on the event's type.",
  }),
  created_at: Time.annotateKey({ description: "The time of the event." }),
}).annotate({
  identifier: "Event",
  description: "An event that concerns the account or something in which it takes part.",
  examples: [
    {
      id: "evt_01997d3e-8a00-7000-8000-000000000007",
      type: "ping",
      service_id: null,
      data: { endpoint_id: "we_01997d3e-8a00-7000-8000-000000000005" },
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Returns the view, see {@link EventView}. */
export const eventView = (event: Event) => shownAs(EventView, event)

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly event: Event
  }
}

/** How events are kept. */
export const eventKind = defineKind("event", {
  prefix: "evt",
  erased: true,
  dueAt: ownDueAt,
  lists: [["account_id"], ["account_id", "type"], ["subject_id"]],
})
