import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { paymentRules } from "../../../core/payments/IntentInput.ts"
import { PayQuoteInput } from "../../../core/payments/PayQuoteInput.ts"
import { CreateQuoteInput } from "../../../core/quotes/QuoteInput.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { CREATION } from "./paymentIntents.ts"
import { exampleQuoteId, QuoteView } from "../../../core/quotes/QuoteView.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Group, Unscoped } from "./Route.ts"

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
    account.post("quote", "/v1/fx/quotes", {
      annotations: Unscoped.context(true),
      summary: "Quote the ways to make a payment, best first",
      description:
        "Use it to compare channels, or to fix a rate for a minute. Pay at that rate with " +
        "`POST /v1/fx/routes`. A payment in the service's own currency needs no quote.",
      payload: CreateQuoteInput.annotate({
        identifier: "CreateQuoteInput",
        description: "The amount to pay, and the settlement currency.",
        examples: [{ amount: { currency: "USD", value: 100_000 }, settlement_currency: "EUR" }],
      }),
      rules: paymentRules,
      idempotency: "optimistic",
      success: QuoteView.pipe(HttpApiSchema.status(201)),
      refusals: [...QUOTING, ...ofFields(paymentRules)],
    }),
    account.post("route", "/v1/fx/routes", {
      summary: "Request a payment at the prices of a quote",
      description:
        "Use it once per quote, within a minute of the quote. Without a quote, use `POST " +
        "/v1/payment-intents`.",
      payload: PayQuoteInput.annotate({
        identifier: "PayQuoteInput",
        description: "The quote to use, and the purpose of the payment.",
        examples: [
          {
            quote_id: exampleQuoteId,
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            description: "Weather report, 7 days",
          },
        ],
      }),
      rules: paymentRules,
      success: IntentView.pipe(HttpApiSchema.status(201)),
      refusals: [
        ...CREATION,
        ...ofFields(paymentRules),
        "INVALID_METADATA",
        "QUOTE_EXPIRED",
        "QUOTE_USED",
      ],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "FX")
  .annotate(OpenApi.Description, "Quotes, and payments at their prices.")
