import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { line } from "../../../core/shared/Text.ts"

/** The media type of a code's image. */
export const SVG = "image/svg+xml; charset=utf-8"

/** Selects one of several codes. */
export const QrQuery = {
  channel: Schema.optionalKey(line(64)).annotateKey({
    description: "The channel that the code is for.",
  }),
}

/** Selects the form of the code. */
export const QrHeaders = {
  accept: Schema.optionalKey(Schema.String).annotate({
    description: "`image/svg+xml` or `image/png` for an image. Any other value gives JSON.",
  }),
}

const common = {
  channel: Schema.String.annotateKey({ description: "The channel that the code is for." }),
  qr_data: Schema.String.annotate({ description: "The content of the QR code." }),
}

const images = [
  Schema.String.pipe(HttpApiSchema.asText({ contentType: SVG })),
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/png" })),
] as const

/** The static code of a service. */
export const serviceQr = [
  Schema.Struct({
    service_id: Schema.String.annotateKey({ description: "The service's id." }),
    ...common,
    scan_url: Schema.String.annotate({
      description: "The code's web page, which any phone opens. The payer picks a price there.",
    }),
  }).annotate({
    identifier: "ServiceQr",
    description: "The static code of a service, for one of its channels.",
    examples: [
      {
        service_id: "01997d3e-8a00-7000-8000-000000000010",
        channel: "wallet_a",
        qr_data: "svc://pay/s/01997d3e-8a00-7000-8000-000000000010?channel=wallet_a",
        scan_url: "http://127.0.0.1:4020/pay/s/01997d3e-8a00-7000-8000-000000000010",
      },
    ],
  }),
  ...images,
] as const

/** The code of a payment. */
export const intentQr = [
  Schema.Struct({
    payment_intent_id: Schema.String.annotateKey({ description: "The payment's id." }),
    ...common,
  }).annotate({
    identifier: "PaymentIntentQr",
    description: "The code of a payment, for one of its channels.",
    examples: [
      {
        payment_intent_id: "pi_01997d3e-8a00-7000-8000-000000000020",
        channel: "wallet_a",
        qr_data: "svc://pay/pi_01997d3e-8a00-7000-8000-000000000020?channel=wallet_a",
      },
    ],
  }),
  ...images,
] as const
