import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { paymentRules } from "../../../core/payments/IntentInput.ts"
import { PayQuoteInput } from "../../../core/payments/PayQuoteInput.ts"
import { CreateQuoteInput } from "../../../core/quotes/QuoteInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { CREATION } from "./paymentIntents.ts"
import { Idempotency, Rules } from "./Route.ts"
import { exampleQuoteId, QuoteView } from "../../../core/quotes/QuoteView.ts"

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
      success: QuoteView.pipe(HttpApiSchema.status(201)),
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
            quote_id: exampleQuoteId,
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            description: "Weather report, 7 days",
          },
        ],
      }),
      success: IntentView.pipe(HttpApiSchema.status(201)),
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
