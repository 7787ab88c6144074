import type { Timestamp } from "../shared/Timestamp.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

/** What `GET /v1/payment-intents` asks: newest first, from behind `starting_after`. */
export interface IntentQuery {
  readonly viewer: string
  readonly service_id?: string
  readonly statuses?: ReadonlyArray<PaymentIntent["status"]>
  /** Inclusive. */
  readonly created_after?: Timestamp
  /** Exclusive. */
  readonly created_before?: Timestamp
  readonly starting_after?: string
  readonly limit: number
  /** Intents that are due at this time are expired, whatever their stored status says. */
  readonly now: Timestamp
}
