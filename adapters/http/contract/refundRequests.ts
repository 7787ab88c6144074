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
        "The payee is told (`refund.requested`) and has seven days to approve or decline. A " +
        "payment has one open request at a time. Use it as the buyer; payees refund by `POST " +
        "/v1/refunds`.",
      payload: CreateRefundRequestInput.annotate({
        identifier: "CreateRefundRequestInput",
        description: "Which payment, why, and how much; without an amount, all that is left of it.",
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
      summary: "List the requests that you made or are to decide, newest first",
      description:
        "Use it as the payee for what is to be decided (`status=open`), or as the buyer for " +
        "what became of yours.",
      query: ListRefundRequestsQuery.fields,
      success: page(RefundRequestView),
      refusals: ["NOT_FOUND"],
    }),
    account.get("get", "/v1/refund-requests/:id", {
      summary: "Get a refund request",
      description: "Use it to learn what the payee decided, and which refund was made.",
      success: RefundRequestView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("approve", "/v1/refund-requests/:id/approve", {
      audiences: ["seller"],
      summary: "Make the refund that was asked for (payee)",
      description:
        "Request and refund are decided together: a request is refunded once. The answer is " +
        "the refund, which the channel may still reject. To refund without a request, use " +
        "`POST /v1/refunds`.",
      payload: ApproveRefundRequestInput.annotate({
        identifier: "ApproveRefundRequestInput",
        description: "How much is refunded; without an amount, what was asked for.",
        examples: [{ amount: { currency: "USD", value: 150 } }],
      }),
      rules: refundRequestRules,
      annotations: Rate.context("reserve"),
      success: RefundView.pipe(HttpApiSchema.status(201)),
      refusals: [...REFUND_REFUSALS, "INVALID_TRANSITION", "revocation_limit_exceeded"],
    }),
    account.post("decline", "/v1/refund-requests/:id/decline", {
      audiences: ["seller"],
      summary: "Refuse a refund request (payee)",
      description:
        "The buyer is told why (`refund.declined`). An open request that nobody decides " +
        "expires by itself.",
      payload: DeclineRefundRequestInput.annotate({
        identifier: "DeclineRefundRequestInput",
        description: "Why nothing is refunded.",
        examples: [{ reason: "The report was downloaded." }],
      }),
      success: RefundRequestView,
      refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
    }),
    account.post("withdraw", "/v1/refund-requests/:id/withdraw", {
      audiences: ["buyer"],
      summary: "Take a refund request back (buyer)",
      description: "Use it while the request is open. A decided one stays as it is.",
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
