import { Schema } from "effect"
import { Fees } from "../pricing/Price.ts"
import { exactly } from "../shared/Exact.ts"
import { toIso } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { Quote } from "./Quote.ts"

/** The id of the example quote. */
export const exampleQuoteId = "fxq_01997d3e-8a00-7000-8000-000000000040"

const criterion = (description: string) => Schema.Finite.annotate({ description })

const QuotedRoute = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  score: criterion("From 0 to 1: 50% fee, 30% rate and 20% speed."),
  criteria: Schema.Struct({
    fee: criterion("1 for the lowest network fee and FX spread, 0 for the highest."),
    rate: criterion("1 for the best rate, or if no rate is needed; 0 for the worst."),
    speed: criterion("1 for the fastest settlement, 0 for the slowest."),
  }).annotateKey({ description: "The parts of the score, each from 0 to 1." }),
  fees: Fees,
  rate: Schema.Finite.annotate({ description: "The applied rate, including the spread." }),
  settlement: Amount,
  settles: Schema.Literals(["real_time", "t_plus_1"]).annotateKey({
    description: "How soon captured money is settled.",
  }),
})

/** A quote as its account sees it. */
export const QuoteView = Schema.Struct({
  id: Schema.String.annotate({ description: "`fxq_` and a UUIDv7." }),
  amount: Amount,
  routes: Schema.Array(QuotedRoute).annotate({ description: "The possible routes, best first." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  expires_at: Time.annotateKey({ description: "When the prices expire." }),
}).annotate({
  identifier: "Quote",
  description: "Prices that are valid for a minute, for one payment of the requesting account.",
  examples: [
    {
      id: exampleQuoteId,
      amount: { currency: "USD", value: 100_000 },
      routes: [
        {
          channel: "wallet_a",
          score: 1,
          criteria: { fee: 1, rate: 1, speed: 1 },
          fees: {
            service: { currency: "EUR", value: 434 },
            fx_spread: { currency: "EUR", value: 261 },
            channel: { currency: "EUR", value: 520 },
            total: { currency: "EUR", value: 1_215 },
          },
          rate: 0.86739,
          settlement: { currency: "EUR", value: 86_739 },
          settles: "real_time",
        },
      ],
      created_at: "2026-01-31T08:00:00.000Z",
      expires_at: "2026-01-31T08:01:00.000Z",
    },
  ],
})

/** See {@link QuoteView}. */
export const quoteView = exactly<typeof QuoteView.Type>()(
  ({ id, amount, routes, created_at, expires_at }: Quote) => ({
    id,
    amount,
    routes: routes.map(({ channel, score, criteria, fees, settlement, settles }) => ({
      channel,
      score,
      criteria,
      fees,
      rate: Number(settlement.rate),
      settlement: { currency: settlement.currency, value: settlement.value },
      settles,
    })),
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
  }),
)
