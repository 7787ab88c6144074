import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ApproveRefundRequestInput,
  CreateRefundRequestInput,
  DeclineRefundRequestInput,
  ListRefundRequestsQuery,
  refundRequestRules,
} from "../../../core/refundRequests/RefundRequestInput.ts"
import { RefundRequestView } from "../../../core/refundRequests/RefundRequestView.ts"
import { RefundView } from "../../../core/refunds/RefundView.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { REFUND_REFUSALS, UNREFUNDABLE } from "./refunds.ts"
import { Audiences, Group, Rate, Shape } from "./Route.ts"
import { page } from "./Wire.ts"

/** Buyers need the permission to pay for this, not the permission to refund. */
const asked = Group.context("pay")

/** Refund requests of buyers, which payees decide. */
export const refundRequests = HttpApiGroup.make("refundRequests")
  .add(
    account.post("create", "/v1/refund-requests", {
      audiences: ["buyer"],
      summary: "Ask the payee to refund a payment (buyer)",
      description:
        "The payee is notified (`refund.requested`) and has seven days to approve or " +
        "decline. A payment has one open request at a time. For buyers; payees refund with " +
        "`POST /v1/refunds`.",
      payload: CreateRefundRequestInput.annotate({
        identifier: "CreateRefundRequestInput",
        description:
          "The payment, the reason and the amount. Without an amount, all that is left of " +
          "the payment.",
        examples: [
          {
            payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
            amount: { currency: "USD", value: 200 },
            reason: "The report was for another city.",
          },
        ],
      }),
      rules: refundRequestRules,
      annotations: asked,
      success: RefundRequestView.pipe(HttpApiSchema.status(201)),
      refusals: [...UNREFUNDABLE, "INVALID_TRANSITION"],
    }),
    account.get("list", "/v1/refund-requests", {
      mayBeStale: true,
      summary: "List the refund requests that you made or received, newest first",
      description:
        "As the payee, use it to find requests to decide (`status=open`). As the buyer, " +
        "use it to see the results of yours.",
      query: ListRefundRequestsQuery.fields,
      success: page(RefundRequestView),
      refusals: ["NOT_FOUND"],
    }),
    account.get("get", "/v1/refund-requests/:id", {
      summary: "Get a refund request",
      description: "Use it to see the payee's decision and the refund, if one was made.",
      success: RefundRequestView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("approve", "/v1/refund-requests/:id/approve", {
      audiences: ["seller"],
      summary: "Approve a refund request and make the refund (payee)",
      description:
        "Approves the request and makes the refund in one step: a request is refunded " +
        "once. The answer is the refund, which the channel may still reject. To refund " +
        "without a request, use `POST /v1/refunds`.",
      payload: ApproveRefundRequestInput.annotate({
        identifier: "ApproveRefundRequestInput",
        description: "The amount to refund. Without an amount, the requested one.",
        examples: [{ amount: { currency: "USD", value: 150 } }],
      }),
      rules: refundRequestRules,
      annotations: Rate.context("reserve"),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      refusals: [...REFUND_REFUSALS, "INVALID_TRANSITION", "revocation_limit_exceeded"],
    }),
    account.post("decline", "/v1/refund-requests/:id/decline", {
      audiences: ["seller"],
      summary: "Decline a refund request (payee)",
      description:
        "The buyer gets the reason (`refund.declined`). An open request that nobody " +
        "decides expires automatically.",
      payload: DeclineRefundRequestInput.annotate({
        identifier: "DeclineRefundRequestInput",
        description: "The reason for declining the request.",
        examples: [{ reason: "The report was downloaded." }],
      }),
      success: RefundRequestView,
      refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
    }),
    account.post("withdraw", "/v1/refund-requests/:id/withdraw", {
      audiences: ["buyer"],
      summary: "Withdraw a refund request (buyer)",
      description: "Use it while the request is open. A decided request cannot be withdrawn.",
      annotations: asked,
      success: RefundRequestView,
      refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "refund")
  .annotate(Shape, "nested")
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Refund requests")
