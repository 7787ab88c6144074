import type { IntentQuery } from "../../payments/IntentQuery.ts"
import type { PaymentIntent } from "../../payments/PaymentIntent.ts"
import type { Read } from "./Read.ts"

/** Payments and what belongs to them (Request Payment, One-Time Pay). */
export interface PaymentReads {
  readonly listIntents: (query: IntentQuery) => Read<ReadonlyArray<PaymentIntent>>
  /** What a counter of reservations stands at; 0 for one that nobody has added to. */
  readonly findCounter: (counter: string) => Read<number>
}
