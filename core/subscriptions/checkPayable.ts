import { Effect, Result } from "effect"
import * as Channel from "../channels/Channel.ts"
import { installOf } from "../installs/consent.ts"
import type { Tab, TabPrice } from "../invoices/Tab.ts"
import { spenderOf } from "../kyc/limits/payers.ts"
import { Installation } from "../ports/Installation.ts"
import { ratesOf, worthOf } from "../pricing/quoteSettlement.ts"
import { checkCurrency } from "../registry/findPayable.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { route } from "../routing/Routing.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { Failure } from "../shared/Failure.ts"

/**
 * Refuses to open a tab whose bills its agent could not pay by any channel of the service, as
 * subscribing to a plan does. Channels that are down count as up, since the bill comes later.
 *
 * Fails with `INVALID_AMOUNT` for a currency that no channel takes or that has no exchange rate,
 * with `CHANNEL_UNAVAILABLE` and `CHANNEL_NO_DEEPLINK`, and with `TEMPORARILY_UNAVAILABLE` without
 * usable rates.
 */
export const checkPayable = Effect.fnUntraced(function* (
  service: ServiceManifest,
  { account_id, agent_id, price }: Pick<Tab, "account_id" | "agent_id" | "price">,
) {
  const { currency } = price
  const { catalog, terms } = yield* Installation
  yield* checkCurrency(service, { currency, value: 0 })
  yield* worthOf({ currency, value: 1 }, "USD", "up")
  yield* ratesOf(currency, service.settlement_currency)
  const { detected, level } = yield* spenderOf(account_id, agent_id)
  const install = yield* installOf(account_id, agent_id, service.id)
  const routed = route({
    requested: undefined,
    preference: install?.channel_preference ?? undefined,
    detected: [...(install?.channels ?? []), ...detected],
    service,
    catalog,
    fees: terms.fees,
    currency,
    level,
    health: () => "up",
    needsDeepLinks: true,
  })
  if (Result.isFailure(routed)) {
    yield* Effect.fail(routed.failure).pipe(
      catchFailure(["CHANNEL_TEMPORARILY_UNAVAILABLE"], Effect.die),
    )
  }
})

const noChannelLeft = ({ currency }: TabPrice, { accepted_channels }: ServiceManifest) =>
  new Failure({
    code: "CHANNEL_UNAVAILABLE",
    message:
      `The use was not counted: its bill in ${currency} could not be paid, since no channel of ` +
      "the service takes that currency by a link. Accept such a channel and report the use " +
      `again, or close the tab. The service accepts ${accepted_channels.join(", ")}.`,
    details: { channel: null, accepted_channels },
  })

/**
 * Refuses use whose bill nobody could pay, since its seller has changed the channels after the tab
 * was opened. Otherwise the seller would learn so from the unpaid bill.
 *
 * Fails with `CHANNEL_UNAVAILABLE`.
 */
export const checkStillPayable = Effect.fnUntraced(function* (
  service: ServiceManifest,
  price: TabPrice,
) {
  const { catalog } = yield* Installation
  const isPayable = catalog.some(
    (channel) =>
      service.accepted_channels.includes(channel.id) &&
      channel.deep_links &&
      Channel.serves(channel, price.currency),
  )
  if (!isPayable) return yield* noChannelLeft(price, service)
})
