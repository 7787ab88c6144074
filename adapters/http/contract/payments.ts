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
    description: "Always `true`: what is not allowed is refused.",
  }),
  current_kyc_level: Schema.Literals(KYC_LEVELS).annotateKey({
    description: "The level that is in force for the agent.",
  }),
  limits: LimitsView.annotateKey({ description: "What the level may pay, in whole US dollars." }),
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
      description:
        "Use it to buy something now: within the install's limits it is paid at once, " +
        "otherwise the answer has a `deeplink` for the person. Use `POST /v1/payment-intents` " +
        "where a code is scanned.",
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
      description:
        "Use it with an amount alone to ask whether it may be paid; nothing is made then. " +
        "With a service it pays as `POST /v1/payments/one-time` does.",
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
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "One-Time Pay")
