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
  id: Schema.String.annotate({
    description: "The event's number. It grows with every change of the payment.",
  }),
  event: Schema.Literal("payment_intent").annotateKey({ description: "Always `payment_intent`." }),
  data: Schema.fromJsonString(IntentView).annotateKey({
    description: "The payment in its current state, as JSON.",
  }),
})

/** Payments by QR code and what they share with deep links (Request Payment). */
export const paymentIntents = HttpApiGroup.make("paymentIntents")
  .add(
    account.post("create", "/v1/payment-intents", {
      summary: "Request a payment by QR code",
      description:
        "Use it when a person scans a code. The payee captures the money later. For a link " +
        "on a phone, or to pay without asking a person, use `POST /v1/payments/one-time`.",
      payload: CreateIntentInput.annotate({
        identifier: "CreateIntentInput",
        description: "The amount to pay, and the service.",
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
        "Use it to see a payment's state. To wait for a change, follow its events or " +
        "receive webhooks.",
      success: IntentView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("qr", "/v1/payment-intents/:id/qr", {
      summary: "Get the QR code of a payment",
      description:
        "`Accept: image/svg+xml` or `image/png` returns the image, otherwise JSON with its " +
        "content. Use it to show the code on your own screen. `scan_url` is a page that " +
        "shows it.",
      query: QrQuery,
      headers: QrHeaders,
      annotations: TextType.context(SVG),
      success: intentQr,
      refusals: ["NOT_FOUND", "CHANNEL_UNAVAILABLE"],
    }),
    account.get("events", "/v1/payment-intents/:id/events", {
      summary: "Follow a payment",
      description:
        "Server-sent events: first the payment's current state, then an event for each " +
        "change, until it ends. `Last-Event-ID` leaves out a state that the reader has " +
        "seen. Use it to wait for one payment. For all payments, receive webhooks.",
      success: HttpApiSchema.StreamSse({ events: StateEvent }),
      refusals: ["NOT_FOUND"],
    }),
    account.get("timeline", "/v1/payment-intents/:id/timeline", {
      audiences: ["seller"],
      summary: "Show what happened to a payment",
      description:
        "States, calls to the channel, refunds, revocations, journals, events and " +
        "deliveries in one order, as far as the caller may see them. Use it to find out " +
        "why something happened. The current state is at `GET /v1/payment-intents/{id}`.",
      success: TimelineView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("capture", "/v1/payment-intents/:id/capture", {
      audiences: ["seller"],
      ...ACTION,
      payload: CaptureInput.annotate({
        identifier: "CaptureInput",
        description: "The amount to capture. The body can be omitted.",
        examples: [{ amount: { currency: "USD", value: 500 } }],
      }),
      rules: captureRules,
      annotations: Rate.context("reserve"),
      summary: "Capture the authorized money (payee)",
      description:
        "Use it when you deliver. Until then the payer's money is only reserved. An " +
        "`amount` below the payment's captures that part and releases the rest, at " +
        "channels with `partial_capture`. A payment is captured once. If you do not " +
        "deliver, cancel or void it.",
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
        "Either side can use it before the money is captured. Captured money is returned " +
        "by a refund.",
    }),
    account.post("cancel", "/v1/payment-intents/:id/cancel", {
      audiences: ["seller"],
      ...ACTION,
      summary: "Cancel an unpaid payment (payee)",
      description:
        "Use it as the payee if you do not deliver. The payer uses void. Captured money is " +
        "returned by a refund.",
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "Payments by QR code, from request to settlement.")
