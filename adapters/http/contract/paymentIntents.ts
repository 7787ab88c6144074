import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateIntentInput, paymentRules } from "../../../core/payments/IntentInput.ts"
import { CaptureInput, captureRules } from "../../../core/payments/CaptureInput.ts"
import { ListIntentsQuery } from "../../../core/payments/listIntents.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { TimelineView } from "../../../core/timeline/TimelineView.ts"
import { intentQr, QrHeaders, QrQuery, SVG } from "./Qr.ts"
import { Audiences, Group, Rate, TextType } from "./Route.ts"
import { Nothing, page } from "./Wire.ts"
import { account } from "./Endpoint.ts"

/** The refusals of an intent's creation, in both flows. */
export const CREATION = [
  "INVALID_AMOUNT",
  "NOT_FOUND",
  "FORBIDDEN",
  "INSUFFICIENT_KYC",
  "SPEND_CAP_EXCEEDED",
  "SERVICE_NOT_ACTIVE",
  "CHANNEL_UNAVAILABLE",
  "CHANNEL_NO_DEEPLINK",
  "CHANNEL_TEMPORARILY_UNAVAILABLE",
  "CHANNEL_CONFIGURATION_ERROR",
  "CHANNEL_ERROR",
] as const

/** An action that ends a payment or continues it. */
const ACTION = {
  payload: Nothing,
  success: IntentView,
  refusals: ["NOT_FOUND", "FORBIDDEN", { code: "INVALID_TRANSITION", subject: "payment_intent" }],
} as const

const StateEvent = Schema.Struct({
  id: Schema.String.annotate({ description: "Grows with every change of the intent." }),
  event: Schema.Literal("payment_intent").annotateKey({ description: "Always `payment_intent`." }),
  data: Schema.fromJsonString(IntentView).annotateKey({
    description: "The payment as it is now, as JSON.",
  }),
})

/** Payments by QR code and what they share with deep links (Request Payment). */
export const paymentIntents = HttpApiGroup.make("paymentIntents")
  .add(
    account.post("create", "/v1/payment-intents", {
      summary: "Request a payment by QR code",
      description:
        "Use it where a person scans a code; the payee captures the money later. Use `POST " +
        "/v1/payments/one-time` for a link on a phone, or to pay without asking.",
      payload: CreateIntentInput.annotate({
        identifier: "CreateIntentInput",
        description: "What is to be paid, for which service.",
        examples: [
          {
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            type: "one_time",
            amount: { currency: "USD", value: 699 },
            description: "Weather report, 7 days",
            metadata: { order: "1001" },
          },
        ],
      }),
      rules: paymentRules,
      idempotency: "optimistic",
      success: IntentView.pipe(HttpApiSchema.status(201)),
      refusals: [...CREATION, ...ofFields(paymentRules), "INVALID_METADATA"],
    }),
    account.get("list", "/v1/payment-intents", {
      mayBeStale: true,
      summary: "List payments, newest first",
      description:
        "Use it to find payments by state, service or time. To wait for one payment, follow " +
        "its events.",
      query: ListIntentsQuery.fields,
      success: page(IntentView),
    }),
    account.get("get", "/v1/payment-intents/:id", {
      summary: "Get a payment",
      description:
        "Use it to learn how a payment stands. To wait for a change, follow its events or " +
        "receive webhooks.",
      success: IntentView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("qr", "/v1/payment-intents/:id/qr", {
      summary: "Get the QR code of a payment",
      description:
        "`Accept: image/svg+xml` or `image/png` gives the image; otherwise what it holds as " +
        "JSON. Use it to show the code where your own screen is; `scan_url` is a page that " +
        "does.",
      query: QrQuery,
      headers: QrHeaders,
      annotations: TextType.context(SVG),
      success: intentQr,
      refusals: ["NOT_FOUND", "CHANNEL_UNAVAILABLE"],
    }),
    account.get("events", "/v1/payment-intents/:id/events", {
      summary: "Follow a payment",
      description:
        "Server-sent events: first the payment as it is, then an event for each change, until " +
        "it ends. A `Last-Event-ID` leaves out a state that the reader has seen. Use it to " +
        "wait for one payment; for all of them, receive webhooks.",
      success: HttpApiSchema.StreamSse({ events: StateEvent }),
      refusals: ["NOT_FOUND"],
    }),
    account.get("timeline", "/v1/payment-intents/:id/timeline", {
      audiences: ["seller"],
      summary: "Show what happened to a payment",
      description:
        "States, calls to the channel, refunds, revocations, journals, events and deliveries " +
        "in one order, each as far as it is the caller's own. Use it to find out why; how it " +
        "stands is `GET /v1/payment-intents/{id}`.",
      success: TimelineView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("capture", "/v1/payment-intents/:id/capture", {
      audiences: ["seller"],
      ...ACTION,
      payload: CaptureInput.annotate({
        identifier: "CaptureInput",
        description: "How much is captured; the body may also be left out.",
        examples: [{ amount: { currency: "USD", value: 500 } }],
      }),
      rules: captureRules,
      annotations: Rate.context("reserve"),
      summary: "Take the authorized money (payee)",
      description:
        "Use it once you deliver: until then the payer's money is only reserved. With an " +
        "`amount` below the payment's, that much is taken and the rest is released, at " +
        "channels with `partial_capture`; a payment is captured once. If you do not deliver, " +
        "cancel or void it.",
      refusals: [
        ...ACTION.refusals,
        ...ofFields(captureRules),
        "CHANNEL_ERROR",
        "INSUFFICIENT_KYC",
      ],
    }),
    account.post("void", "/v1/payment-intents/:id/void", {
      ...ACTION,
      summary: "Give up an unpaid payment (payee, payer, creator)",
      description:
        "Use it before the money is taken, from either side. What was captured goes back by a " +
        "refund.",
    }),
    account.post("cancel", "/v1/payment-intents/:id/cancel", {
      audiences: ["seller"],
      ...ACTION,
      summary: "Cancel an unpaid payment (payee)",
      description:
        "Use it as the payee where you do not deliver. The payer gives up by void; captured " +
        "money goes back by a refund.",
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "Payments by QR code, from request to settlement.")
