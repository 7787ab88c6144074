import type { Timestamp } from "../shared/Timestamp.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

/** The query of `GET /v1/payment-intents`: newest first, after `starting_after`. */
export interface IntentQuery {
  readonly viewer: string
  readonly service_id?: string
  readonly statuses?: ReadonlyArray<PaymentIntent["status"]>
  /** Only payments that the viewer has made, each for one of these agents. */
  readonly agents?: ReadonlyArray<string>
  /** Inclusive. */
  readonly created_after?: Timestamp
  /** Exclusive. */
  readonly created_before?: Timestamp
  readonly starting_after?: string
  readonly limit: number
  /**
   * The current time. Intents that have passed their `expires_at` by then, and can expire, count as
   * expired, even before a worker has stored that.
   */
  readonly now: Timestamp
}
