import { Context } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  challengeRules,
  OpenChallengeInput,
  RedeemInput,
} from "../../../core/challenges/ChallengeInput.ts"
import {
  CloseInput,
  ClosedView,
  DrawInput,
  DrawView,
} from "../../../core/challenges/PaymentSession.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { CREATION } from "./paymentIntents.ts"
import { Audiences, Group, Rate } from "./Route.ts"
import {
  ChallengeView,
  exampleDemand,
  RedemptionView,
} from "../../../core/challenges/ChallengeView.ts"
import { account } from "./Endpoint.ts"

const service_id = "01997d3e-8a00-7000-8000-000000000010"
const resource = "GET /reports/7"

/** The challenges and proofs of paid endpoints (HTTP 402 mode). */
export const challenges = HttpApiGroup.make("challenges")
  .add(
    account.post("open", "/v1/payment-challenges", {
      summary: "Request the payment of a resource (seller)",
      description:
        "Use it in a paywall that answers 402. Sellers with an x402 server use the " +
        "facilitator instead.",
      payload: OpenChallengeInput.annotate({
        identifier: "OpenChallengeInput",
        description:
          "The resource and its price. With `valid_seconds`, the proof gives access for " +
          "that many seconds from its first use; without it, once. `idle_seconds` is for " +
          "deposits, which have no `valid_seconds`. Without `channel`, the service's channel " +
          "is used.",
        examples: [{ service_id, amount: exampleDemand.amount, resource }],
      }),
      rules: challengeRules,
      idempotency: "optimistic",
      success: ChallengeView.pipe(HttpApiSchema.status(201)),
      refusals: CREATION,
    }),
    account.post("redeem", "/v1/payment-challenges/:id/redeem", {
      summary: "Accept a proof of payment (seller)",
      description:
        "Captures the payment if it is only authorized. With `capture: later` it stays " +
        "authorized, and `capture_before` says until when. If several requests show a " +
        "single-use proof at the same time, one is let through. With `payment_identifier`, " +
        "the same purchase is reported again for an hour, and no other payment is accepted " +
        "under that identifier. A deposit that was drawn from, a payment captured in part, " +
        "and a payment given back in part before its first use are refused. " +
        "Use it before you answer a request that shows a proof. " +
        "Sellers with x402 use `/v1/x402/settle`.",
      payload: RedeemInput.annotate({
        identifier: "RedeemInput",
        description: "The proof that was shown, and the resource that it pays for.",
        examples: [
          { service_id, amount: exampleDemand.amount, resource, token: exampleDemand.token },
        ],
      }),
      rules: challengeRules,
      annotations: Rate.context("reserve"),
      success: RedemptionView,
      refusals: [
        ...ofFields(challengeRules),
        "PAYMENT_REQUIRED",
        "PAYMENT_PROOF_INVALID",
        "PAYMENT_PROOF_USED",
        "PAYMENT_IDENTIFIER_USED",
        "PAYMENT_UNRESOLVED",
        "INSUFFICIENT_KYC",
      ],
    }),
    account.post("draw", "/v1/payment-challenges/:id/draw", {
      summary: "Draw the price of a request from a deposit (seller)",
      description:
        "Use it for sessions (MPP, intent `session`): `POST /v1/payment-challenges` " +
        "requests the deposit, and each request draws its price from it. `spent` is the " +
        "total after the draw, so that each draw is made only once.",
      payload: DrawInput.annotate({
        identifier: "DrawInput",
        description: "The proof of the deposit, and the price to draw from it.",
        examples: [
          {
            service_id,
            amount: exampleDemand.amount,
            resource,
            token: exampleDemand.token,
            price: 5,
            spent: 5,
          },
        ],
      }),
      rules: challengeRules,
      annotations: Rate.context("reserve"),
      success: DrawView,
      refusals: [
        ...ofFields(challengeRules),
        "PAYMENT_REQUIRED",
        "PAYMENT_PROOF_INVALID",
        "PAYMENT_PROOF_USED",
        "PAYMENT_UNRESOLVED",
        "INSUFFICIENT_KYC",
      ],
    }),
    account.post("close", "/v1/payment-challenges/:id/close", {
      summary: "Close a session and return the rest of its deposit (seller)",
      description:
        "Use it when the payer closes a session. Afterwards nothing can be drawn. If the " +
        "deposit was not captured yet, the held money is released. A session without a " +
        "draw for `idle_seconds` closes automatically.",
      payload: CloseInput.annotate({
        identifier: "CloseInput",
        description: "The proof of the deposit.",
        examples: [
          {
            service_id,
            amount: exampleDemand.amount,
            resource,
            token: exampleDemand.token,
          },
        ],
      }),
      rules: challengeRules,
      annotations: Context.merge(Rate.context("reserve"), Group.context("refund")),
      success: ClosedView,
      refusals: [
        ...ofFields(challengeRules),
        "NOT_FOUND",
        "PAYMENT_PROOF_USED",
        "FORBIDDEN",
        "PAYMENT_PROOF_INVALID",
        "PAYMENT_UNRESOLVED",
        "REFUND_NOT_ALLOWED",
        "REFUND_WINDOW_EXPIRED",
        "REFUND_EXCEEDS_PAYMENT",
        "REFUND_LIMIT_EXCEEDED",
        "REFUND_CHANNEL_REJECTED",
        "MISSING_REQUIRED_FIELD",
      ],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Payment challenges")
  .annotate(OpenApi.Description, "The 402 answers of paid endpoints, and the proofs of payment.")
