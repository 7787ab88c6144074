import { Effect, Result } from "effect"
import { installOf } from "../installs/consent.ts"
import type { Tab } from "../invoices/Tab.ts"
import { spenderOf } from "../kyc/limits/payers.ts"
import { Installation } from "../ports/Installation.ts"
import { ratesOf, worthOf } from "../pricing/quoteSettlement.ts"
import { checkCurrency } from "../registry/findPayable.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { route } from "../routing/Routing.ts"
import { catchFailure } from "../shared/catchFailure.ts"

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
