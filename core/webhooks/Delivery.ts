import { Result } from "effect"
import * as Machine from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { judge, type Schedule } from "./Schedule.ts"

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

/** The delivery of one event to one receiver (Webhook delivery). */
export interface Delivery {
  /** `wd_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly event_id: string
  readonly event_type: string
  /** The service whose manifest names the receiver. */
  readonly service_id: string
  readonly url: string
  readonly status: "pending" | "delivered" | "failed" | "skipped"
  readonly attempts: ReadonlyArray<Attempt>
  readonly created_at: Timestamp
  /** When the next attempt is due; null once the delivery has ended. */
  readonly due_at: Timestamp | null
}

interface Ended {
  due_at: null
}

/** The states of a delivery: a pending one has a next attempt, and no other has. */
export interface DeliveryFacts {
  pending: { due_at: Timestamp }
  delivered: Ended
  failed: Ended
  skipped: Ended
}

/** What happens to a delivery; `attempts` are those made by then, the last one included. */
export type DeliveryEvent =
  | { readonly type: "delivered"; readonly attempts: Delivery["attempts"] }
  | {
      readonly type: "retry"
      readonly attempts: Delivery["attempts"]
      readonly due_at: Timestamp
    }
  | { readonly type: "failed"; readonly attempts: Delivery["attempts"] }
  | { readonly type: "skipped" }

const ended = ({ attempts }: { readonly attempts: Delivery["attempts"] }) => ({
  attempts,
  due_at: null,
})

const table: Machine.Table<DeliveryFacts, DeliveryEvent, never> = {
  pending: {
    delivered: { to: "delivered", set: ended },
    retry: { to: "pending", set: ({ attempts, due_at }) => ({ attempts, due_at }) },
    failed: { to: "failed", set: ended },
    skipped: { to: "skipped", set: () => ({ due_at: null }) },
  },
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
export type PendingDelivery = Delivery & {
  readonly status: "pending"
  readonly due_at: Timestamp
}

/** Whether there is a next attempt. */
export const isPending = (delivery: Delivery): delivery is PendingDelivery =>
  delivery.status === "pending" && delivery.due_at !== null

const move = (delivery: PendingDelivery, event: DeliveryEvent): Delivery =>
  Result.getOrThrow(machine.step(delivery, event)).record

/** The delivery after one more attempt, which ended at `endedAt`. */
export const afterAttempt = (
  delivery: PendingDelivery,
  made: Omit<Attempt, "attempt">,
  schedule: Schedule,
  endedAt: Timestamp,
): Delivery => {
  const attempt = delivery.attempts.length + 1
  const attempts = [...delivery.attempts, { attempt, ...made }]
  return move(delivery, { ...judge(schedule, attempt, made.status, endedAt), attempts })
}

/** The delivery after its receiver was found to be gone or switched off. */
export const skip = (delivery: PendingDelivery): Delivery => move(delivery, { type: "skipped" })
