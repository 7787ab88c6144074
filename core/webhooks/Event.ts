import type { Timestamp } from "../shared/Timestamp.ts"

/** The events of payments (Events). Later families extend this union. */
export type EventType =
  | "payment_intent.succeeded"
  | "payment_intent.failed"
  | "payment_intent.expired"
  | "payment_intent.cancelled"

/**
 * Something that happened, in the log of the account it concerns. It is committed together with
 * its cause; a worker turns it into deliveries afterwards.
 */
export interface Event {
  /** `evt_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly type: EventType
  /** The service whose endpoint is told. */
  readonly service_id: string
  /** The payment intent or other resource that it is about. */
  readonly subject_id: string
  /** The `data` of the envelope, as it is delivered. */
  readonly data: { readonly [field: string]: unknown }
  readonly created_at: Timestamp
  /** When its deliveries are to be made; null once they have been. */
  readonly due_at: Timestamp | null
}
