import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AttemptInput,
  CreateOneTimeInput,
  paymentRules,
} from "../../../core/payments/IntentInput.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { CREATION } from "./paymentIntents.ts"
import { Audiences, Group, StatusOf } from "./Route.ts"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import { LimitsView, limitsView, LIMITS } from "../../../core/kyc/limits/Limits.ts"
import { account } from "./Endpoint.ts"

const Allowance = Schema.Struct({
  allowed: Schema.Literal(true).annotateKey({
    description: "Always `true`. A payment that is not allowed gets an error.",
  }),
  current_kyc_level: Schema.Literals(KYC_LEVELS).annotateKey({
    description: "The level that is in force for the agent.",
  }),
  limits: LimitsView.annotateKey({
    description: "The level's payment limits in whole US dollars.",
  }),
}).annotate({
  identifier: "Allowance",
  description:
    "The payer may pay the amount: it is within the limits per payment and for the rest of " +
    "the day.",
  examples: [{ allowed: true, current_kyc_level: "basic", limits: limitsView(LIMITS, "basic") }],
})

/** Payments by deep link (One-Time Pay). */
export const payments = HttpApiGroup.make("payments")
  .add(
    account.post("oneTime", "/v1/payments/one-time", {
      summary: "Pay by deep link, or at once if the install allows it",
      description:
        "Use it to buy something now. Within the install's limits the payment is made at " +
        "once. Otherwise the answer has a `deeplink` for the person. To show a QR code, " +
        "use `POST /v1/payment-intents`.",
      payload: CreateOneTimeInput.annotate({
        identifier: "CreateOneTimeInput",
        description: "The amount to pay at once, the service and the payer.",
        examples: [
          {
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            amount: { currency: "USD", value: 250 },
            description: "Weather report, today",
            payer: { agent_id: "agent_traveller" },
            metadata: { order: "1002" },
          },
        ],
      }),
      rules: paymentRules,
      success: IntentView.pipe(HttpApiSchema.status(201)),
      refusals: [...CREATION, ...ofFields(paymentRules), "INVALID_METADATA"],
    }),
  )
  .add(
    account.post("attempt", "/v1/payments", {
      summary: "Pay within the limits, or ask whether a payment is allowed",
      description:
        "With only an amount, it answers whether that amount may be paid, and makes no " +
        "payment. With a service, it pays like `POST /v1/payments/one-time`.",
      payload: AttemptInput.annotate({
        identifier: "AttemptPaymentInput",
        description:
          "A One-Time payment under the payer's limits. With only `amount` (and " +
          "`kyc_level`, `payer`), it asks whether the amount may be paid.",
        examples: [{ amount: { currency: "USD", value: 250 }, kyc_level: "anonymous" }],
      }),
      rules: paymentRules,
      annotations: StatusOf.context((view) => ("allowed" in view ? 200 : undefined)),
      success: [IntentView.pipe(HttpApiSchema.status(201)), Allowance],
      refusals: [...CREATION, ...ofFields(paymentRules), "INVALID_METADATA"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "One-Time Pay")
