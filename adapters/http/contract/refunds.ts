import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RefundView } from "../../../core/refunds/RefundView.ts"
import { ListRefundsQuery } from "../../../core/refunds/listRefunds.ts"
import {
  CreateRefundInput,
  RefundIntentInput,
  refundRules,
} from "../../../core/refunds/RefundInput.ts"
import { AccountKey } from "./Access.ts"
import { Audiences, Group, Rate, Shape } from "./Route.ts"
import { page } from "./Wire.ts"
import { account } from "./Endpoint.ts"

/** The reasons why a payment cannot be refunded as requested. */
export const UNREFUNDABLE = [
  "NOT_FOUND",
  "FORBIDDEN",
  "INVALID_AMOUNT",
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
] as const

/** The refusals of a refund. */
export const REFUND_REFUSALS = [...UNREFUNDABLE, "REFUND_CHANNEL_REJECTED"] as const

const REVOKE = [
  "revocation_target_invalid_type",
  "revocation_scope_invalid",
  "revocation_limit_exceeded",
  "refund_exceeds_revocable",
] as const

/** Money that goes back (Refunds and revocations). */
export const refunds = HttpApiGroup.make("refunds")
  .add(
    account.post("create", "/v1/refunds", {
      summary: "Refund a payment in part or in full (payee)",
      description:
        "Use it as the payee, also to revoke access (`revoke`). Buyers use `POST " +
        "/v1/refund-requests`. For money that is not captured, void the payment.",
      payload: CreateRefundInput.annotate({
        identifier: "CreateRefundInput",
        description: "The payment to refund. Without an amount, all that is left of it.",
        examples: [
          {
            payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
            amount: { currency: "USD", value: 200 },
            reason: "Not delivered",
            revoke: { targets: [{ type: "access_token", id: "tok_8F3a" }] },
          },
        ],
      }),
      rules: refundRules,
      annotations: Rate.context("reserve"),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      refusals: [...REFUND_REFUSALS, ...REVOKE],
    }),
    account.post("ofIntent", "/v1/payment-intents/:id/refund", {
      summary: "Refund this payment (payee)",
      description:
        "The same as `POST /v1/refunds` without `revoke`, with the payment's id in the path.",
      payload: RefundIntentInput.annotate({
        identifier: "RefundIntentInput",
        description: "The amount and the reason. Without an amount, all that is left.",
        examples: [{ reason: "Not delivered", amount: { currency: "USD", value: 200 } }],
      }),
      rules: refundRules,
      annotations: Rate.context("reserve"),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      refusals: [...REFUND_REFUSALS, "revocation_limit_exceeded"],
    }),
    account.get("list", "/v1/refunds", {
      mayBeStale: true,
      audiences: ["buyer", "seller"],
      summary: "List a payment's refunds, or all of your own, newest first",
      description:
        "Use it to see which refunds were made. Buyers' requests are in `/v1/refund-requests`.",
      query: ListRefundsQuery.fields,
      success: page(RefundView),
      refusals: ["NOT_FOUND"],
    }),
    account.get("get", "/v1/refunds/:id", {
      audiences: ["buyer", "seller"],
      summary: "Get a refund",
      description: "Use it to see whether the channel has confirmed a refund.",
      success: RefundView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "refund")
  .annotate(Shape, "nested")
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Refunds")
