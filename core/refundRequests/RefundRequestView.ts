import { Schema } from "effect"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { RefundRequest } from "./RefundRequest.ts"

/** A refund request as its buyer and its payee see it. */
export const RefundRequestView = Schema.Struct({
  id: Schema.String.annotate({ description: "`rr_` and a UUIDv7." }),
  status: Schema.Literals(["open", "approved", "declined", "withdrawn", "expired"]).annotate({
    description:
      "`open` until the payee decides, the buyer withdraws the request, or it expires. An " +
      "approved request has a refund, which the channel may still reject.",
  }),
  payment_intent: Schema.String.annotateKey({ description: "The payment's id." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  amount: Amount.annotate({ description: "The requested amount, in the payment's currency." }),
  reason: Schema.String.annotateKey({ description: "Why the buyer asks for a refund." }),
  refund: Schema.optionalKey(Schema.String).annotate({
    description: "The payee's refund. Only for approved requests.",
  }),
  decline_reason: Schema.optionalKey(Schema.String).annotate({
    description: "The payee's reason. Only for declined requests.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  updated_at: Time.annotateKey({ description: "The time of the last change." }),
  expires_at: Time.annotateKey({ description: "The payee's deadline for a decision." }),
  resolved_at: Schema.optionalKey(Time).annotateKey({
    description: "When the request was decided, was withdrawn or expired.",
  }),
}).annotate({
  identifier: "RefundRequest",
  description: "A buyer's request for a refund of a payment, which the payee decides.",
  examples: [
    {
      id: "rr_01997d3e-8a00-7000-8000-000000000035",
      status: "open",
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      amount: { currency: "USD", value: 200 },
      reason: "The report was for another city.",
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
      expires_at: "2026-02-07T08:00:00.000Z",
    },
  ],
})

/** Returns the view, see {@link RefundRequestView}. */
export const refundRequestView = (request: RefundRequest) => shownAs(RefundRequestView, request)
