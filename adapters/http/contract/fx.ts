import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { paymentRules } from "../../../core/payments/IntentInput.ts"
import { PayQuoteInput } from "../../../core/payments/PayQuoteInput.ts"
import { CreateQuoteInput } from "../../../core/quotes/QuoteInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { Fees, PaymentIntent } from "./PaymentIntent.ts"
import { CREATION } from "./paymentIntents.ts"
import { Idempotency, Rules } from "./Route.ts"
import { Amount, Timestamp } from "./Wire.ts"

const exampleId = "fxq_01997d3e-8a00-7000-8000-000000000040"

const criterion = (description: string) => Schema.Finite.annotate({ description })

const QuotedRoute = Schema.Struct({
  channel: Schema.String,
  score: criterion("From 0 to 1: half the fee, three tenths the rate, two tenths the speed."),
  criteria: Schema.Struct({
    fee: criterion("1 for the least of network fee and FX spread, 0 for the most."),
    rate: criterion("1 for the best rate, and where none is needed; 0 for the worst."),
    speed: criterion("1 for the fastest settlement, 0 for the slowest."),
  }),
  fees: Fees,
  rate: Schema.Finite.annotate({ description: "The rate that is applied, spread included." }),
  settlement: Amount,
  settles: Schema.Literals(["real_time", "t_plus_1"]),
})

const Quote = Schema.Struct({
  id: Schema.String.annotate({ description: "`fxq_` and a UUIDv7." }),
  amount: Amount,
  routes: Schema.Array(QuotedRoute).annotate({ description: "The best first." }),
  created_at: Timestamp,
  expires_at: Timestamp,
}).annotate({
  identifier: "Quote",
  description: "Prices that hold for a minute, for one payment of the account that asked.",
  examples: [
    {
      id: exampleId,
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

const QUOTING = [
  "INVALID_AMOUNT",
  "NOT_FOUND",
  "FORBIDDEN",
  "SERVICE_NOT_ACTIVE",
  "UNSUPPORTED_CHANNEL",
  "CHANNEL_UNAVAILABLE",
  "CHANNEL_TEMPORARILY_UNAVAILABLE",
] as const

/** Prices of payments between currencies, and payments at these prices (FX routing rules). */
export const fx = HttpApiGroup.make("fx")
  .add(
    HttpApiEndpoint.post("quote", "/v1/fx/quotes", {
      disableCodecs: true,
      payload: CreateQuoteInput.annotate({
        identifier: "CreateQuoteInput",
        description: "What is to be paid, and what it is to be settled in.",
        examples: [{ amount: { currency: "USD", value: 100_000 }, settlement_currency: "EUR" }],
      }),
      success: Quote.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, QUOTING, ofFields(paymentRules)),
    })
      .annotate(Rules, paymentRules)
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Quote the ways to make a payment, best first"),
    HttpApiEndpoint.post("route", "/v1/fx/routes", {
      disableCodecs: true,
      payload: PayQuoteInput.annotate({
        identifier: "PayQuoteInput",
        description: "The quote to be used, and what the payment is for.",
        examples: [
          {
            quote_id: exampleId,
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            description: "Weather report, 7 days",
          },
        ],
      }),
      success: PaymentIntent.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, CREATION, ofFields(paymentRules), [
        "INVALID_METADATA",
        "QUOTE_EXPIRED",
        "QUOTE_USED",
      ]),
    })
      .annotate(Rules, paymentRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Request a payment at a quote's prices"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "FX")
  .annotate(OpenApi.Description, "Quotes, and payments at their prices.")
