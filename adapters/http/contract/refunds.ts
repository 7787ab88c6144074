import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RefundView } from "../../../core/refunds/RefundView.ts"
import { ListRefundsQuery } from "../../../core/refunds/listRefunds.ts"
import {
  CreateRefundInput,
  RefundIntentInput,
  refundRules,
} from "../../../core/refunds/RefundInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, refusals, ONCE } from "./Errors.ts"
import { Idempotency, Rate, Rules, Shape } from "./Route.ts"
import { ById, page } from "./Wire.ts"

const REFUSED = [
  "NOT_FOUND",
  "FORBIDDEN",
  "INVALID_AMOUNT",
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
  "REFUND_CHANNEL_REJECTED",
] as const

const REVOKE = [
  "revocation_target_invalid_type",
  "revocation_scope_invalid",
  "revocation_limit_exceeded",
  "refund_exceeds_revocable",
] as const

/** Money that goes back (Refunds and revocations). */
export const refunds = HttpApiGroup.make("refunds")
  .add(
    HttpApiEndpoint.post("create", "/v1/refunds", {
      disableCodecs: true,
      payload: CreateRefundInput.annotate({
        identifier: "CreateRefundInput",
        description: "Which payment is refunded; without an amount, all that is left of it.",
        examples: [
          {
            payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
            amount: { currency: "USD", value: 200 },
            reason: "Not delivered",
            revoke: { targets: [{ type: "access_token", id: "tok_8F3a" }] },
          },
        ],
      }),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, REFUSED, REVOKE),
    })
      .annotate(Rules, refundRules)
      .annotate(Rate, "reserve")
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Refund a payment, in part or as a whole (payee)"),
    HttpApiEndpoint.post("ofIntent", "/v1/payment-intents/:id/refund", {
      disableCodecs: true,
      params: ById,
      payload: RefundIntentInput.annotate({
        identifier: "RefundIntentInput",
        description: "How much is refunded and why; without an amount, all that is left.",
        examples: [{ reason: "Not delivered", amount: { currency: "USD", value: 200 } }],
      }),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, REFUSED, ["revocation_limit_exceeded"]),
    })
      .annotate(Rules, refundRules)
      .annotate(Rate, "reserve")
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Refund this payment (payee)"),
    HttpApiEndpoint.get("list", "/v1/refunds", {
      disableCodecs: true,
      query: ListRefundsQuery.fields,
      success: page(RefundView),
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "List a payment's refunds, or all of your own, newest first"),
    HttpApiEndpoint.get("get", "/v1/refunds/:id", {
      disableCodecs: true,
      params: ById,
      success: RefundView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a refund"),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(OpenApi.Title, "Refunds")
