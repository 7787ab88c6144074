import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateOneTimeInput, paymentRules } from "../../../core/payments/IntentInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { PaymentIntent } from "./PaymentIntent.ts"
import { CREATION } from "./paymentIntents.ts"
import { Idempotency, Rules } from "./Route.ts"

/** Payments by deep link (One-Time Pay). */
export const payments = HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("oneTime", "/v1/payments/one-time", {
      disableCodecs: true,
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
      success: PaymentIntent.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, CREATION),
    })
      .annotate(Rules, paymentRules)
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Pay by deep link"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "One-Time Pay")
