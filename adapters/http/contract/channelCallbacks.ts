import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { REFUND_STATUSES, TRADE_STATUSES } from "../../../core/gateway/ChannelCallback.ts"
import { ANY, CHANGE, refusals, STALLED } from "./Errors.ts"
import { Audiences } from "./Route.ts"

const TradeMessage = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  event: Schema.Literal("trade_status").annotateKey({ description: "Always `trade_status`." }),
  data: Schema.Struct({
    out_trade_no: Schema.String.annotate({ description: "The payment intent's id." }),
    trade_no: Schema.String.annotateKey({ description: "The channel's transaction number." }),
    total_amount: Schema.String.annotate({ description: "A decimal string in major units." }),
    trade_status: Schema.Literals(TRADE_STATUSES).annotateKey({
      description: "The charge's status, in the channel's terms.",
    }),
    currency: Schema.optionalKey(Schema.String).annotateKey({
      description: "An ISO 4217 currency code, or a stablecoin's code.",
    }),
    receipt_amount: Schema.optionalKey(Schema.String).annotateKey({
      description: "The paid amount in major units, such as `6.99`.",
    }),
    pay_date: Schema.optionalKey(Schema.String).annotateKey({
      description: "When the payer paid.",
    }),
    payer_id: Schema.optionalKey(Schema.String).annotateKey({
      description: "The payer's id at the channel.",
    }),
    wallet_id: Schema.optionalKey(Schema.String).annotateKey({
      description: "The id of the paying wallet at the channel.",
    }),
  }).annotateKey({ description: "The charge and its status." }),
})

const RefundMessage = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  event: Schema.Literal("refund_status").annotateKey({ description: "Always `refund_status`." }),
  data: Schema.Struct({
    out_trade_no: Schema.String.annotate({ description: "The payment intent's id." }),
    out_request_no: Schema.String.annotate({ description: "The number of our refund request." }),
    refund_amount: Schema.String.annotate({ description: "A decimal string in major units." }),
    refund_status: Schema.Literals(REFUND_STATUSES).annotateKey({
      description: "The refund's status, in the channel's terms.",
    }),
    currency: Schema.optionalKey(Schema.String).annotateKey({
      description: "An ISO 4217 currency code, or a stablecoin's code.",
    }),
    failure_reason: Schema.optionalKey(Schema.String).annotate({
      description: "Why the channel rejected the refund.",
    }),
  }).annotateKey({ description: "The refund and its status." }),
})

/** The content of a callback of the default channel codec, for documents. */
export const CallbackBody = Schema.Union([TradeMessage, RefundMessage]).annotate({
  identifier: "ChannelCallback",
  description: "A channel's message about a charge or about a requested refund.",
  examples: [
    {
      channel: "wallet_a",
      event: "trade_status",
      data: {
        out_trade_no: "pi_01997d3e-8a00-7000-8000-000000000020",
        trade_no: "2026013100001",
        total_amount: "6.99",
        trade_status: "AUTHORIZED",
      },
    },
    {
      channel: "wallet_a",
      event: "refund_status",
      data: {
        out_trade_no: "pi_01997d3e-8a00-7000-8000-000000000020",
        out_request_no: "creq_01997d3e-8a00-7000-8000-000000000031",
        refund_amount: "2.00",
        refund_status: "FAILED",
        failure_reason: "The wallet is closed.",
      },
    },
  ],
})

const Received = Schema.Struct({
  received: Schema.Literal(true).annotateKey({ description: "Always `true`." }),
}).annotate({
  identifier: "Received",
  description: "The message was accepted.",
  examples: [{ received: true }],
})

/** The callbacks of payment channels (Channel callback). */
export const channelCallbacks = HttpApiGroup.make("channelCallbacks")
  .add(
    HttpApiEndpoint.post("receive", "/v1/webhooks/channel/:channel", {
      disableCodecs: true,
      params: { channel: Schema.String.annotate({ description: "The calling channel's name." }) },
      headers: {
        "x-channel-signature": Schema.optionalKey(
          Schema.String.annotate({
            description: "The HMAC-SHA256 of the body as sent, under the channel's secret, in hex.",
          }),
        ),
      },
      // The signature covers the bytes as sent, so the handler gets the bytes.
      payload: Schema.Uint8Array.pipe(
        HttpApiSchema.asUint8Array({ contentType: "application/json" }),
      ),
      success: Received,
      error: refusals(ANY, CHANGE, STALLED, [
        "RATE_LIMIT_EXCEEDED",
        "webhook_signature_invalid",
        "INVALID_JSON",
        "INVALID_REQUEST",
        "MISSING_REQUIRED_FIELD",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "NOT_FOUND",
        "AMOUNT_MISMATCH",
        "CHANNEL_MISMATCH",
      ]),
    })
      .annotate(OpenApi.Summary, "Receive a channel's callback")
      .annotate(
        OpenApi.Description,
        "For gateways of channels, which sign their requests. Wallets, sellers and buyers " +
          "do not call it.",
      )
      .annotate(
        OpenApi.Description,
        "For gateways of channels, which sign their requests. Wallets, sellers and buyers " +
          "do not call it.",
      ),
  )
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Channel callbacks")
  .annotate(OpenApi.Description, "Called by payment channels, which sign what they send.")
