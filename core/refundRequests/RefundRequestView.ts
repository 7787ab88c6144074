import { Schema } from "effect"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { RefundRequest } from "./RefundRequest.ts"

/** A refund request as its buyer and its payee see it. */
export const RefundRequestView = Schema.Struct({
  id: Schema.String.annotate({ description: "`rr_` and a UUIDv7." }),
  status: Schema.Literals(["open", "approved", "declined", "withdrawn", "expired"]).annotate({
    description:
      "open until the payee decides, the buyer withdraws it, or its time is over. An approved " +
      "one has its refund, which the channel may still reject.",
  }),
  payment_intent: Schema.String.annotateKey({ description: "The payment's id." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  amount: Amount.annotate({ description: "What the buyer asks for, in the payment's currency." }),
  reason: Schema.String.annotateKey({ description: "Why the buyer asks for it." }),
  refund: Schema.optionalKey(Schema.String).annotate({
    description: "The refund that the payee has made; with approved ones.",
  }),
  decline_reason: Schema.optionalKey(Schema.String).annotate({
    description: "The payee's words; with declined ones.",
  }),
  created_at: Time.annotateKey({ description: "When it was made." }),
  updated_at: Time.annotateKey({ description: "When it was last changed." }),
  expires_at: Time.annotateKey({ description: "Until when the payee can decide." }),
  resolved_at: Schema.optionalKey(Time).annotateKey({
    description: "When it was decided, withdrawn or ran out.",
  }),
}).annotate({
  identifier: "RefundRequest",
  description: "A buyer's request to get money of a payment back, which the payee decides.",
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
