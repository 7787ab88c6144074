import type { Challenge } from "../../challenges/Challenge.ts"
import type { ChannelRequest } from "../../channels/ChannelRequest.ts"
import type { IntentQuery } from "../../payments/IntentQuery.ts"
import type { PaymentIntent } from "../../payments/PaymentIntent.ts"
import type { Quote } from "../../pricing/Quote.ts"
import type { Read } from "./Read.ts"

/** Payments and what belongs to them (Request Payment, One-Time Pay). */
export interface PaymentReads {
  readonly findIntent: (id: string) => Read<PaymentIntent | undefined>
  /** Those that there are of the payments with these ids, in any order. */
  readonly findIntents: (ids: ReadonlyArray<string>) => Read<ReadonlyArray<PaymentIntent>>
  readonly listIntents: (query: IntentQuery) => Read<ReadonlyArray<PaymentIntent>>
  readonly findChannelRequest: (id: string) => Read<ChannelRequest | undefined>
  readonly findQuote: (id: string) => Read<Quote | undefined>
  /** By its id, see `challengeId`. */
  readonly findChallenge: (id: string) => Read<Challenge | undefined>
  /** What a counter of reservations stands at; 0 for one that nobody has added to. */
  readonly findCounter: (counter: string) => Read<number>
}
