import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateIntentInput, paymentRules } from "../../../core/payments/IntentInput.ts"
import { ListIntentsQuery } from "../../../core/payments/listIntents.ts"
import { AccountKey } from "./Access.ts"
import type { FailureCode } from "../../../core/shared/Failure.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { intentQr, QrHeaders, QrQuery, SVG } from "./Qr.ts"
import { Idempotency, Rate, Rules, TextType } from "./Route.ts"
import { ById, Nothing, page } from "./Wire.ts"

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

const ACTION = [
  "NOT_FOUND",
  "FORBIDDEN",
  { code: "INVALID_TRANSITION", subject: "payment_intent" },
] as const

const act = <
  const Name extends string,
  const Path extends `/${string}`,
  const Code extends FailureCode = never,
>(
  name: Name,
  path: Path,
  ...codes: ReadonlyArray<Code>
) =>
  HttpApiEndpoint.post(name, path, {
    disableCodecs: true,
    params: ById,
    payload: Nothing,
    success: IntentView,
    error: refusals(ANY, KEYED, BODY, ONCE, ACTION, codes),
  }).annotate(Idempotency, "checked")

const StateEvent = Schema.Struct({
  id: Schema.String.annotate({ description: "Grows with every change of the intent." }),
  event: Schema.Literal("payment_intent"),
  data: Schema.fromJsonString(IntentView),
})

/** Payments by QR code and what they share with deep links (Request Payment). */
export const paymentIntents = HttpApiGroup.make("paymentIntents")
  .add(
    HttpApiEndpoint.post("create", "/v1/payment-intents", {
      disableCodecs: true,
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
      success: IntentView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, CREATION, ofFields(paymentRules), [
        "INVALID_METADATA",
      ]),
    })
      .annotate(Rules, paymentRules)
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Request a payment by QR code"),
    HttpApiEndpoint.get("list", "/v1/payment-intents", {
      disableCodecs: true,
      query: ListIntentsQuery.fields,
      success: page(IntentView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List payments, newest first"),
    HttpApiEndpoint.get("get", "/v1/payment-intents/:id", {
      disableCodecs: true,
      params: ById,
      success: IntentView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a payment"),
    HttpApiEndpoint.get("qr", "/v1/payment-intents/:id/qr", {
      disableCodecs: true,
      params: ById,
      query: QrQuery,
      headers: QrHeaders,
      success: intentQr,
      error: refusals(ANY, KEYED, ["NOT_FOUND", "CHANNEL_UNAVAILABLE"]),
    })
      .annotate(TextType, SVG)
      .annotate(OpenApi.Summary, "Get the QR code of a payment")
      .annotate(
        OpenApi.Description,
        "`Accept: image/svg+xml` or `image/png` gives the image; otherwise what it holds as JSON.",
      ),
    HttpApiEndpoint.get("events", "/v1/payment-intents/:id/events", {
      disableCodecs: true,
      params: ById,
      success: HttpApiSchema.StreamSse({ events: StateEvent }),
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    })
      .annotate(OpenApi.Summary, "Follow a payment")
      .annotate(
        OpenApi.Description,
        "Server-sent events: first the payment as it is, then an event for each change, until it " +
          "ends. A `Last-Event-ID` leaves out a state that the reader has seen.",
      ),
    act("capture", "/v1/payment-intents/:id/capture", "CHANNEL_ERROR", "INSUFFICIENT_KYC")
      .annotate(Rate, "reserve")
      .annotate(OpenApi.Summary, "Take the authorized money (payee)"),
    act("void", "/v1/payment-intents/:id/void").annotate(
      OpenApi.Summary,
      "Give up an unpaid payment (payee, payer, creator)",
    ),
    act("cancel", "/v1/payment-intents/:id/cancel").annotate(
      OpenApi.Summary,
      "Cancel an unpaid payment (payee)",
    ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Payment intents")
  .annotate(OpenApi.Description, "Payments by QR code, from request to settlement.")
