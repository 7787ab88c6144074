import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateIntentInput, paymentRules } from "../../../core/payments/IntentInput.ts"
import { ListIntentsQuery } from "../../../core/payments/listIntents.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { TimelineView } from "../../../core/timeline/TimelineView.ts"
import { intentQr, QrHeaders, QrQuery, SVG } from "./Qr.ts"
import { Group, Rate, TextType } from "./Route.ts"
import { Nothing, page } from "./Wire.ts"
import { account } from "./Endpoint.ts"

/** What the creation of an intent may be refused with, in either flow. */
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

/** What ends a payment or goes on with it. */
const ACTION = {
  payload: Nothing,
  success: IntentView,
  refusals: ["NOT_FOUND", "FORBIDDEN", { code: "INVALID_TRANSITION", subject: "payment_intent" }],
} as const

const StateEvent = Schema.Struct({
  id: Schema.String.annotate({ description: "Grows with every change of the intent." }),
  event: Schema.Literal("payment_intent"),
  data: Schema.fromJsonString(IntentView),
})

/** Payments by QR code and what they share with deep links (Request Payment). */
export const paymentIntents = HttpApiGroup.make("paymentIntents")
  .add(
    account.post("create", "/v1/payment-intents", {
      summary: "Request a payment by QR code",
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
      summary: "List payments, newest first",
      query: ListIntentsQuery.fields,
      success: page(IntentView),
    }),
    account.get("get", "/v1/payment-intents/:id", {
      summary: "Get a payment",
      success: IntentView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("qr", "/v1/payment-intents/:id/qr", {
      summary: "Get the QR code of a payment",
      description:
        "`Accept: image/svg+xml` or `image/png` gives the image; otherwise what it holds as JSON.",
      query: QrQuery,
      headers: QrHeaders,
      annotations: TextType.context(SVG),
      success: intentQr,
      refusals: ["NOT_FOUND", "CHANNEL_UNAVAILABLE"],
    }),
    account.get("events", "/v1/payment-intents/:id/events", {
      summary: "Follow a payment",
      description:
        "Server-sent events: first the payment as it is, then an event for each change, until it " +
        "ends. A `Last-Event-ID` leaves out a state that the reader has seen.",
      success: HttpApiSchema.StreamSse({ events: StateEvent }),
      refusals: ["NOT_FOUND"],
    }),
    account.get("timeline", "/v1/payment-intents/:id/timeline", {
      summary: "Show what happened to a payment",
      description:
        "States, calls to the channel, refunds, revocations, journals, events and deliveries in " +
        "one order, each as far as it is the caller's own.",
      success: TimelineView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("capture", "/v1/payment-intents/:id/capture", {
      ...ACTION,
      annotations: Rate.context("reserve"),
      summary: "Take the authorized money (payee)",
      refusals: [...ACTION.refusals, "CHANNEL_ERROR", "INSUFFICIENT_KYC"],
    }),
    account.post("void", "/v1/payment-intents/:id/void", {
      ...ACTION,
      summary: "Give up an unpaid payment (payee, payer, creator)",
    }),
    account.post("cancel", "/v1/payment-intents/:id/cancel", {
      ...ACTION,
      summary: "Cancel an unpaid payment (payee)",
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "Payments by QR code, from request to settlement.")
