import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import { Result, Schema } from "effect"
import * as Machine from "../../shared/Machine.ts"
import { type Timestamp, toIso } from "../../shared/Timestamp.ts"
import type { EventType } from "../events/Event.ts"
import {
  judge,
  mostAttempts,
  REGISTERED_ENDPOINT,
  type Schedule,
  SERVICE_ENDPOINT,
} from "./Schedule.ts"
import { shownAs } from "../../shared/View.ts"
import { Time } from "../../shared/Wire.ts"

/** One try to hand an event to a receiver. */
export interface Attempt {
  /** From 1. */
  readonly attempt: number
  /** The HTTP status of the answer; null when there was none. */
  readonly status: number | null
  readonly at: Timestamp
  readonly duration_ms: number
  readonly error?: string
  /** The first KiB of the answer's body. */
  readonly response?: string
}

/** Why a delivery ended without an answer from its receiver (Delivery and retry rules). */
export type DeliveryError = "webhook_endpoint_disabled" | "webhook_key_not_found"

/** The delivery of one event to one receiver (Webhook delivery). */
export interface Delivery {
  /** `wd_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly event_id: string
  readonly event_type: EventType
  /** The registered endpoint that receives it; null for a service's own endpoint. */
  readonly endpoint_id: string | null
  /** The service whose manifest names the receiver; null for a registered endpoint. */
  readonly service_id: string | null
  /** The address of the last attempt, or of the first one to come. */
  readonly url: string
  /** The key that bodies are encrypted for; null while none is registered. Once set it stays. */
  readonly key_id: string | null
  readonly status: "pending" | "delivering" | "delivered" | "failed" | "skipped"
  readonly attempts: ReadonlyArray<Attempt>
  readonly error: DeliveryError | null
  /** The delivery that this one was asked to repeat. */
  readonly replay_of: string | null
  /** The number in the first attempt's `Idempotency-Key`; see {@link firstRetryAfter}. */
  readonly first_retry: number
  readonly created_at: Timestamp
  /** When the next attempt is due; null once the delivery has ended. */
  readonly due_at: Timestamp | null
}

interface Open {
  due_at: Timestamp
}

interface Ended {
  due_at: null
}

/** The fields of each state: an open delivery has a time for its attempt, an ended one has none. */
export interface DeliveryFacts {
  pending: Open
  delivering: Open
  delivered: Ended
  failed: Ended
  skipped: Ended
}

interface Made {
  readonly attempts: Delivery["attempts"]
}

/**
 * The events of a delivery. `attempts` are those made by then, including the last one. The worker
 * that claims it makes the attempt. If nothing is heard of that attempt, the delivery is claimed
 * again.
 */
export type DeliveryEvent =
  | { readonly type: "claimed" }
  | (Made & { readonly type: "delivered" })
  | (Made & { readonly type: "retry"; readonly due_at: Timestamp })
  | (Made & { readonly type: "failed" })
  | { readonly type: "refused"; readonly error: DeliveryError }
  | { readonly type: "skipped"; readonly error: DeliveryError | null }

const ended = ({ attempts }: Made) => ({ attempts, due_at: null })

const without = ({ error }: { readonly error: DeliveryError | null }) => ({ error, due_at: null })

/** A worker that lost its claim may still have made its attempt, and reports it late. */
const open = {
  claimed: { to: "delivering", set: Machine.nothing },
  delivered: { to: "delivered", set: ended },
  retry: {
    to: "pending",
    set: ({ attempts, due_at }: Made & Open) => ({ attempts, due_at }),
  },
  failed: { to: "failed", set: ended },
  refused: { to: "failed", set: without },
  skipped: { to: "skipped", set: without },
} as const

const table: Machine.Table<DeliveryFacts, DeliveryEvent, never> = {
  pending: open,
  delivering: open,
  delivered: {},
  failed: {},
  skipped: {},
}

/** The lifecycle of a delivery (Webhook delivery). */
export const machine = Machine.make<
  Omit<Delivery, "status" | "due_at">,
  DeliveryFacts,
  DeliveryEvent,
  never
>(table)

/** A delivery that has not ended. */
export type OpenDelivery = Delivery & {
  readonly status: "pending" | "delivering"
  readonly due_at: Timestamp
}

/** Returns whether an attempt is still to come or under way. */
export const isOpen = (delivery: Delivery): delivery is OpenDelivery =>
  (delivery.status === "pending" || delivery.status === "delivering") && delivery.due_at !== null

const move = (delivery: OpenDelivery, event: DeliveryEvent): Delivery =>
  Result.getOrThrow(machine.step(delivery, event)).record

/** Returns a new delivery with the given fields, due at `at`. */
export const newDelivery = (
  said: Omit<Delivery, "version" | "status" | "attempts" | "error" | "created_at" | "due_at">,
  at: Timestamp,
): OpenDelivery => ({
  ...said,
  version: 1,
  status: "pending",
  attempts: [],
  error: null,
  created_at: at,
  due_at: at,
})

/**
 * Returns the receiver that attempts are limited by: deliveries to one receiver share its limit.
 */
export const receiverOf = ({ endpoint_id, service_id }: Delivery): string =>
  endpoint_id ?? service_id ?? ""

/** Returns the schedule of the delivery's kind of receiver (Delivery and retry rules). */
const scheduleOf = ({ endpoint_id }: Delivery): Schedule =>
  endpoint_id === null ? SERVICE_ENDPOINT : REGISTERED_ENDPOINT

/**
 * Returns the first number in the `Idempotency-Key` of a replay, given all deliveries of the event
 * to its receiver. A receiver drops a request whose number it has seen, so no attempt of these
 * deliveries has this number or a greater one. An open delivery may still make every attempt of its
 * schedule.
 */
export const firstRetryAfter = (deliveries: ReadonlyArray<Delivery>): number =>
  Math.max(
    0,
    ...deliveries.map((delivery) => {
      const { attempts, first_retry } = delivery
      return first_retry + (isOpen(delivery) ? mostAttempts(scheduleOf(delivery)) : attempts.length)
    }),
  )

/** Returns the delivery after one more attempt, which ended at `endedAt`. */
export const afterAttempt = (
  delivery: OpenDelivery,
  made: Omit<Attempt, "attempt">,
  endedAt: Timestamp,
): Delivery => {
  const attempt = delivery.attempts.length + 1
  const attempts = [...delivery.attempts, { attempt, ...made }]
  const verdict = judge(scheduleOf(delivery), attempt, made.status, endedAt)
  return move(delivery, { ...verdict, attempts })
}

/** Returns the delivery in the state that it has while its attempt is made. */
export const claimed = (delivery: Delivery): Delivery =>
  isOpen(delivery) ? move(delivery, { type: "claimed" }) : delivery

/** Returns the delivery skipped because its receiver is gone (no error) or disabled. */
export const skip = (delivery: OpenDelivery, error: DeliveryError | null = null): Delivery =>
  move(delivery, { type: "skipped", error })

/** Returns the delivery failed because it cannot be sent as it must be. */
export const refuse = (delivery: OpenDelivery, error: DeliveryError): Delivery =>
  move(delivery, { type: "refused", error })

const AttemptView = Schema.Struct({
  attempt: Schema.Int.annotateKey({ description: "The number of the attempt, from 1." }),
  status: Schema.NullOr(Schema.Int).annotate({
    description: "The receiver's HTTP status; null without an answer.",
  }),
  at: Time.annotateKey({ description: "When the attempt was made." }),
  duration_ms: Schema.Int.annotateKey({
    description: "The receiver's response time in milliseconds.",
  }),
  error: Schema.optionalKey(Schema.String).annotate({ description: "Why there was no answer." }),
  response: Schema.optionalKey(Schema.String).annotate({
    description: "The first KiB of the answer.",
  }),
})

/** A delivery as it is shown. `next_attempt_at` is null while an attempt is made. */
export const DeliveryView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "`wd_` and a UUIDv7." }),
  endpoint_id: Schema.NullOr(Schema.String).annotate({
    description: "The endpoint's id; null if the receiver is a service's own endpoint.",
  }),
  service_id: Schema.NullOr(Schema.String).annotate({
    description: "The service whose own endpoint is the receiver; null for registered endpoints.",
  }),
  event_id: Schema.String.annotateKey({ description: "The event's id." }),
  event_type: Schema.String.annotateKey({ description: "The event's name." }),
  url: Schema.String.annotateKey({ description: "The receiver's URL." }),
  status: Schema.Literals(["pending", "delivering", "delivered", "failed", "skipped"]).annotateKey({
    description: "The delivery's state; `skipped` if the endpoint was gone.",
  }),
  attempts: Schema.Array(AttemptView).annotateKey({ description: "The attempts so far." }),
  error: Schema.NullOr(Schema.String).annotate({
    description:
      "Why the delivery ended without an answer: webhook_endpoint_disabled, " +
      "webhook_key_not_found.",
  }),
  next_attempt_at: Schema.NullOr(Time).annotateKey({
    description: "When the next attempt is made; null if there is none.",
  }),
  replay_of: Schema.NullOr(Schema.String).annotateKey({
    description: "The delivery that this one repeats; null if it is not a replay.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "WebhookDelivery",
  description: "The delivery of an event to one receiver, with every attempt.",
  examples: [
    {
      id: "wd_01997d3e-8a00-7000-8000-000000000008",
      endpoint_id: "we_01997d3e-8a00-7000-8000-000000000005",
      service_id: null,
      event_id: "evt_01997d3e-8a00-7000-8000-000000000007",
      event_type: "ping",
      url: "https://receiver.example/hooks",
      status: "delivered",
      attempts: [{ attempt: 1, status: 204, at: "2026-01-31T08:00:00.000Z", duration_ms: 31 }],
      error: null,
      next_attempt_at: null,
      replay_of: null,
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Returns the view, see {@link DeliveryView}. */
export const deliveryView = (delivery: Delivery) => {
  const { attempts, due_at, status } = delivery
  return shownAs(DeliveryView, delivery, {
    attempts: attempts.map((attempt) => ({ ...attempt, at: toIso(attempt.at) })),
    next_attempt_at: status === "pending" && due_at !== null ? toIso(due_at) : null,
  })
}

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly delivery: Delivery
  }
}

/** How deliveries are kept. */
export const deliveryKind = defineKind("delivery", {
  prefix: "wd",
  erased: true,
  dueAt: ownDueAt,
  claimed,
  receiver: receiverOf,
  // A receiver gets an event once, except for replays.
  unique: [
    { by: ["event_id", "endpoint_id"], while: { replay_of: [null] } },
    { by: ["event_id", "service_id"], while: { replay_of: [null] } },
  ],
  lists: [["account_id"], ["event_id"], ["endpoint_id"], ["account_id", "status"]],
})
