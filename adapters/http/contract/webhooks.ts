import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BudgetAlert } from "../../../core/installs/BudgetAlert.ts"
import { InvoiceView } from "../../../core/invoices/InvoiceView.ts"
import { SubscriptionView } from "../../../core/invoices/SubscriptionView.ts"
import {
  KycExpired,
  KycExpiring,
  KycRejected,
  KycVerified,
} from "../../../core/kyc/verifications/KycEvent.ts"
import { KeyChanged } from "../../../core/keys/KeyEvent.ts"
import { PaymentEnded, PaymentSucceeded } from "../../../core/payments/PaymentEvent.ts"
import { RefundEnded } from "../../../core/refunds/RefundEvent.ts"
import { RefundAsked } from "../../../core/refundRequests/RefundRequestEvent.ts"
import {
  BatchCompleted,
  RevocationFailed,
  RevocationSucceeded,
} from "../../../core/revocations/RevocationEvent.ts"
import { Time } from "../../../core/shared/Wire.ts"
import {
  DeliveryFailed,
  DeliveryRetrying,
  DeliverySucceeded,
  Ping,
} from "../../../core/webhooks/deliveries/DeliveryReport.ts"
import { EndpointDisabled } from "../../../core/webhooks/endpoints/EndpointHealth.ts"
import {
  EVENT_TYPES,
  type EventData,
  type EventType,
  familyOf,
} from "../../../core/webhooks/events/Event.ts"

/** The Schema of each event's `data`. A missing or wrong one does not compile. */
export const EVENT_DATA: { readonly [T in EventType]: Schema.Codec<EventData[T]> } = {
  "payment_intent.succeeded": PaymentSucceeded,
  "payment_intent.failed": PaymentEnded,
  "payment_intent.expired": PaymentEnded,
  "payment_intent.cancelled": PaymentEnded,
  "revocation.succeeded": RevocationSucceeded,
  "revocation.failed": RevocationFailed,
  "revocation.batch.completed": BatchCompleted,
  "refund.succeeded": RefundEnded,
  "refund.failed": RefundEnded,
  "refund.requested": RefundAsked,
  "refund.declined": RefundAsked,
  "refund.withdrawn": RefundAsked,
  "kyc.verified": KycVerified,
  "kyc.rejected": KycRejected,
  "kyc.expiring": KycExpiring,
  "kyc.expired": KycExpired,
  "webhook.delivery.succeeded": DeliverySucceeded,
  "webhook.delivery.retrying": DeliveryRetrying,
  "webhook.delivery.failed": DeliveryFailed,
  "webhook_endpoint.disabled": EndpointDisabled,
  "budget.alert": BudgetAlert,
  "api_key.created": KeyChanged,
  "api_key.rolled": KeyChanged,
  "api_key.revoked": KeyChanged,
  "subscription.created": SubscriptionView,
  "subscription.renewed": SubscriptionView,
  "subscription.past_due": SubscriptionView,
  "subscription.recovered": SubscriptionView,
  "subscription.cancel_scheduled": SubscriptionView,
  "subscription.cancelled": SubscriptionView,
  "invoice.created": InvoiceView,
  "invoice.paid": InvoiceView,
  "invoice.overdue": InvoiceView,
  "invoice.voided": InvoiceView,
  "invoice.uncollectible": InvoiceView,
  ping: Ping,
}

const common = {
  id: Schema.String.annotate({
    description: "The event's id. All attempts of a delivery carry the same one.",
  }),
  created: Schema.Int.annotate({ description: "The time of the event, in unix seconds." }),
}

/** Returns the body of an event: the envelope of its family (Events). */
const bodyOf = (type: EventType) => {
  const name = Schema.Literal(type)
  const data = EVENT_DATA[type].annotateKey({ description: "The event's data." })
  switch (familyOf(type)) {
    case "payment":
      return Schema.Struct({
        type: name.annotateKey({ description: "The event's name." }),
        data,
        ...common,
      })
    case "kyc":
      return Schema.Struct({
        type: name.annotateKey({ description: "The event's name." }),
        data,
        created_at: Time.annotateKey({ description: "The time of the event." }),
        ...common,
      })
    case "revocation":
      return Schema.Struct({
        event: name.annotateKey({ description: "The event's name." }),
        data,
        ...common,
      })
  }
}

const header = (description: string) => Schema.String.annotate({ description })

const SignatureHeaders = {
  "webhook-signature": header(
    "`t=` and unix seconds, then `v1=` and a hex HMAC-SHA256 of that time and the body, " +
      "one for each signing secret.",
  ),
  "x-webhook-signature": Schema.optionalKey(
    header(
      "Hex HMAC-SHA256 of the body alone; only to a service's own endpoint. During the " +
        "grace period of a rotation it has two or more values, separated by commas, the " +
        "newest secret's first. A receiver that compares one value reads " +
        "`X-Webhook-Signature-<digits>` instead, which has the value of one secret. The " +
        "digits are the first 16 of the secret's hex SHA-256, as in its fingerprint.",
    ),
  ),
  "service-signature": Schema.optionalKey(
    header("The value of `Webhook-Signature`, for identity events to registered endpoints."),
  ),
  traceparent: Schema.optionalKey(
    header("The trace of the event's cause, if it has one (W3C Trace Context)."),
  ),
  "x-webhook-timestamp": header("The time of sending, in unix seconds."),
  "idempotency-key": header("The attempt's id. Receivers detect duplicates by the event's `id`."),
}

/** The group's place in the document before it becomes the `webhooks` section. */
export const WEBHOOK_PATH = "/webhooks/"

const told = (type: EventType) =>
  HttpApiEndpoint.post(type, `${WEBHOOK_PATH}${type}`, {
    disableCodecs: true,
    headers: SignatureHeaders,
    payload: bodyOf(type),
    success: HttpApiSchema.NoContent,
  }).annotate(OpenApi.Summary, `Tells a receiver of ${type}`)

/** Webhook deliveries, described like endpoints. */
export const webhooks = EVENT_TYPES.map(told).reduce(
  (group, endpoint) => group.add(endpoint),
  HttpApiGroup.make("webhooks").add(told("ping")),
)
