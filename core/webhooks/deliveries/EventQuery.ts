import type { Delivery } from "./Delivery.ts"
import type { EventType } from "../events/Event.ts"

/** What `GET /v1/events` asks: the account's log, newest first. */
export interface EventQuery {
  readonly account_id: string
  readonly type?: EventType
  readonly starting_after?: string
  readonly limit: number
}

/** What `GET /v1/webhook-deliveries` asks: the account's deliveries, newest first. */
export interface DeliveryQuery {
  readonly account_id: string
  readonly endpoint_id?: string
  readonly event_id?: string
  readonly status?: Delivery["status"]
  readonly starting_after?: string
  readonly limit: number
}
