import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  challengeRules,
  OpenChallengeInput,
  RedeemInput,
} from "../../../core/challenges/ChallengeInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { CREATION } from "./paymentIntents.ts"
import { Idempotency, Rate, Rules } from "./Route.ts"
import { ById } from "./Wire.ts"
import {
  ChallengeView,
  exampleDemand,
  RedemptionView,
} from "../../../core/challenges/ChallengeView.ts"

const service_id = "01997d3e-8a00-7000-8000-000000000010"
const resource = "GET /reports/7"

/** What paid endpoints ask for and are shown (HTTP 402 mode). */
export const challenges = HttpApiGroup.make("challenges")
  .add(
    HttpApiEndpoint.post("open", "/v1/payment-challenges", {
      disableCodecs: true,
      payload: OpenChallengeInput.annotate({
        identifier: "OpenChallengeInput",
        description:
          "What is to be paid for. `valid_seconds`: so long the proof opens it from its " +
          "first use on; left out, it opens it once. Without `channel` the service's is taken.",
        examples: [{ service_id, amount: exampleDemand.amount, resource }],
      }),
      success: ChallengeView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, CREATION),
    })
      .annotate(Rules, challengeRules)
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Ask for the payment of a resource (seller)"),
    HttpApiEndpoint.post("redeem", "/v1/payment-challenges/:id/redeem", {
      disableCodecs: true,
      params: ById,
      payload: RedeemInput.annotate({
        identifier: "RedeemInput",
        description: "The proof that was shown, and what it is to open.",
        examples: [
          { service_id, amount: exampleDemand.amount, resource, token: exampleDemand.token },
        ],
      }),
      success: RedemptionView,
      error: refusals(ANY, KEYED, BODY, ONCE, ofFields(challengeRules), [
        "PAYMENT_REQUIRED",
        "PAYMENT_PROOF_INVALID",
        "PAYMENT_PROOF_USED",
        "PAYMENT_UNRESOLVED",
        "INSUFFICIENT_KYC",
      ]),
    })
      .annotate(Rules, challengeRules)
      .annotate(Idempotency, "checked")
      .annotate(Rate, "reserve")
      .annotate(OpenApi.Summary, "Accept a proof of payment (seller)")
      .annotate(
        OpenApi.Description,
        "Captures the payment where it is only authorized. Of many who show one proof " +
          "for a single use at once, one is let through.",
      ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Payment challenges")
  .annotate(OpenApi.Description, "What a paid endpoint answers with 402, and the proofs of it.")
