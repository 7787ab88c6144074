import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { findOwnOrPublic } from "../registry/getService.ts"
import { firstPrice } from "../registry/ServiceManifest.ts"
import { Installation } from "../ports/Installation.ts"
import { Failure } from "../shared/Failure.ts"
import { serviceLink, servicePage } from "./QrLink.ts"

/** The content of a QR code, and its channel. */
export interface QrView {
  readonly channel: string
  readonly qr_data: string
}

const unavailable = (channel: string | null, accepted: ReadonlyArray<string>) =>
  new Failure({
    code: "CHANNEL_UNAVAILABLE",
    message:
      channel === null
        ? "Several channels have a code. Name one of them as channel."
        : `There is no code for the channel ${JSON.stringify(channel)}.`,
    field: "channel",
    details: { channel, accepted_channels: accepted },
  })

/**
 * Shows the static code of a service with `qr_mode` static for one of its channels, by default its
 * default channel or its first. `scan_url` is the page of the code, where payers choose a price.
 *
 * Fails with `NOT_FOUND`, also for services with a code for each payment, with
 * `CHANNEL_UNAVAILABLE`, and with `INVALID_PRICING` where there is no price to pay.
 */
export const showServiceQr = Effect.fn("showServiceQr")(function* (
  caller: Caller,
  id: string,
  asked: string | undefined,
) {
  const service = yield* findOwnOrPublic(caller, id)
  if (service.qr_mode !== "static") {
    return yield* new Failure({
      code: "NOT_FOUND",
      message: "The service has no static code. Each of its payments has a code of its own.",
    })
  }
  if (firstPrice(service) === undefined) {
    return yield* new Failure({
      code: "INVALID_PRICING",
      message: "The service has no one-time price, so it has no code to scan.",
      field: "pricing.one_time",
    })
  }
  const accepted = service.accepted_channels
  const channel = asked ?? service.default_channel ?? accepted[0]
  if (channel === undefined || !accepted.includes(channel)) {
    return yield* unavailable(channel ?? null, accepted)
  }
  const { base_url } = yield* Installation
  return {
    service_id: service.id,
    channel,
    qr_data: serviceLink(service.id, channel),
    scan_url: servicePage(base_url, service.id),
  }
})

/**
 * Shows the code of a payment, for one of its channels where the payer has a choice.
 *
 * Fails with `NOT_FOUND`, also for payments by deep link, and with `CHANNEL_UNAVAILABLE`.
 */
export const showIntentQr = Effect.fn("showIntentQr")(function* (
  caller: Caller,
  id: string,
  asked: string | undefined,
) {
  const { channel: chosen, id: payment_intent_id, offers } = yield* findVisible(caller, id)
  if (offers.length === 0) {
    return yield* new Failure({ code: "NOT_FOUND", message: "The payment has no QR code." })
  }
  const channel = asked ?? chosen ?? (offers.length === 1 ? offers[0]?.channel : undefined)
  const offer = offers.find((one) => one.channel === channel)
  if (offer === undefined) {
    const accepted = offers.map((one) => one.channel)
    return yield* unavailable(channel ?? null, accepted)
  }
  return { payment_intent_id, channel: offer.channel, qr_data: offer.qr_data }
})
