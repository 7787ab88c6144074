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
import { Group, StatusOf } from "./Route.ts"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import { LimitsView, limitsView, LIMITS } from "../../../core/kyc/limits/Limits.ts"
import { account } from "./Endpoint.ts"

const Allowance = Schema.Struct({
  allowed: Schema.Literal(true),
  current_kyc_level: Schema.Literals(KYC_LEVELS),
  limits: LimitsView,
}).annotate({
  identifier: "Allowance",
  description:
    "The payer may pay the amount at once, and within what is left of the day's limit now.",
  examples: [{ allowed: true, current_kyc_level: "basic", limits: limitsView(LIMITS, "basic") }],
})

/** Payments by deep link (One-Time Pay). */
export const payments = HttpApiGroup.make("payments")
  .add(
    account.post("oneTime", "/v1/payments/one-time", {
      summary: "Pay by deep link, or at once where the install allows it",
      payload: CreateOneTimeInput.annotate({
        identifier: "CreateOneTimeInput",
        description: "What is to be paid at once, for which service and by whom.",
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
      summary: "Pay within the limits, or ask what they are",
      payload: AttemptInput.annotate({
        identifier: "AttemptPaymentInput",
        description:
          "A One-Time payment under the payer's limits; with nothing but `amount` (and " +
          "`kyc_level`, `payer`) the question whether it may be paid.",
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
  .annotate(OpenApi.Title, "One-Time Pay")
