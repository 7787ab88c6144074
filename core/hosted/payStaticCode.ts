import { Clock, Effect, Result } from "effect"
import type { Account } from "../accounts/Account.ts"
import { unbilledCodes } from "../billing/Meter.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import { answerOnce } from "../idempotency/answerOnce.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { type CreatedIntent, requestPayment } from "../payments/createIntent.ts"
import type { RequestPayment } from "../payments/PaymentIntent.ts"
import { newQrCodes } from "../payments/registerCharges.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { canonicalJson } from "../shared/Text.ts"
import { equals, type Money } from "../shared/Money.ts"
import { isUuid } from "../shared/Id.ts"
import { codeIsFull, countByCode, isCodeFull } from "./CodeLimit.ts"
import {
  isOnSale,
  isPausedCode,
  payableOpen,
  payablePrices,
  type StaticCode,
  typedAmount,
} from "./StaticCode.ts"

const findService = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  const service = isUuid(id) ? yield* store.find("service", id) : undefined
  return service ?? (yield* notFound("service", id))
})

/** Says no more of a service than that its code, which hangs in public, is good again later. */
const paused = () =>
  new Failure({
    code: "SERVICE_NOT_ACTIVE",
    message:
      "The service is paused and takes no payments. Only its seller can resume it. " +
      "Scan the code again then.",
    details: { status: "paused" },
  })

/**
 * Checks that a service is sold by its printed code. One that is paused is said to be; every other
 * one is not found.
 */
const onSale = Effect.fnUntraced(function* (service: ServiceManifest) {
  const store = yield* Store
  const { catalog } = yield* Installation
  const isPaused = isPausedCode(service)
  if (!isPaused && !isOnSale(service)) return yield* notFound("service", service.id)
  const payee = yield* store.find("account", service.account_id)
  const prices = payablePrices(service, catalog)
  if (payee === undefined || payee.suspended_at !== null || prices.length === 0) {
    return yield* notFound("service", service.id)
  }
  if (isPaused) return yield* paused()
  return { service, payee, prices, open: payableOpen(service, catalog) }
})

/**
 * Shows what the printed code of a service asks for (Service registry, `qr_mode` static).
 *
 * Fails with `SERVICE_NOT_ACTIVE` for a paused service, and with `NOT_FOUND` for one that has no
 * printed code, or is not on sale.
 */
export const showStaticCode = Effect.fn("showStaticCode")(function* (id: string) {
  const { open, payee, prices, service } = yield* onSale(yield* findService(id))
  const { description, name } = service
  return {
    service_id: service.id,
    service: name,
    description,
    payee: payee.name,
    prices,
    open,
  } satisfies StaticCode
})

/** A price that a page has shown: what is sold, and for how much. */
export interface ShownPrice {
  readonly label: string
  readonly amount: Money
}

/** A payment by a printed code. The typed amount is in major units. */
export interface CodePayment {
  /** A price in the list of the service's code as the payer has seen it, or a typed amount. */
  readonly price: ShownPrice | { readonly typed: string }
  readonly channel?: string | undefined
  /** The id of the attempt, so that sending it twice makes one payment. */
  readonly attempt: string
}

const ATTEMPT = /^[\w-]{22,64}$/

const noPrice = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message: "The service has no such price any more. Scan the code again to see its prices.",
    field: "price",
  })

/**
 * Returns the amount and the description; undefined where the service does not accept the price.
 */
const chosenOf = (
  { open, prices, service }: Effect.Success<ReturnType<typeof onSale>>,
  price: CodePayment["price"],
  currencies: CurrencyTable,
): { readonly amount: Money; readonly description: string } | undefined => {
  if ("typed" in price) {
    const amount = typedAmount(open, price.typed, currencies)
    return amount && { amount, description: service.name }
  }
  // A seller may have changed its list since: nobody pays what it was not shown.
  const { amount, label } = price
  const isListed = prices.some(
    (one) => one.label === label && equals({ currency: one.currency, value: one.amount }, amount),
  )
  return isListed ? { amount, description: label } : undefined
}

/** Returns only the payment's id; its page shows the rest. */
const named = ({ record }: CreatedIntent) => Result.succeed({ view: record.id, writes: [] })

const refusedForCode = catchConflict(isCodeFull, () =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => codeIsFull(now)),
)

/** The service's owner is the caller of payments by its printed code. */
const asOwner = (account: Account) => ({ account, api_key_id: "static_code" })

/**
 * Makes the payment of a person who has scanned a printed code, and returns its id: a Request
 * Payment of the service's owner for an unknown payer, at a price of its list, or at the typed
 * amount where the seller accepts one. Since anybody can create it, it counts against its payee's
 * daily limit at capture only, like the payment of a paid endpoint, and its QR codes are not
 * billed.
 *
 * Fails with `NOT_FOUND` and `SERVICE_NOT_ACTIVE` as `showStaticCode` does, with `INVALID_REQUEST`
 * for an unknown price, with `RATE_LIMIT_EXCEEDED` where the code has reached its limit, and as the
 * creation of a payment does.
 */
export const payStaticCode = Effect.fn("payStaticCode")(function* (
  id: string,
  { attempt, channel, price }: CodePayment,
) {
  if (!ATTEMPT.test(attempt)) return yield* noPrice()
  const service = yield* findService(id)
  const { currencies } = yield* Installation
  const codes = yield* newQrCodes
  const counts = ({ created_at, offers }: RequestPayment) => [
    countByCode(service.id, created_at),
    ...unbilledCodes(service.account_id, created_at, offers.length),
  ]
  const options = { answer: named, countedLater: true, counts }
  // An attempt that has made its payment is answered with it, though the price has changed since,
  // or the service is not sold any more.
  const creating = Effect.gen(function* () {
    const found = yield* onSale(service)
    const chosen = chosenOf(found, price, currencies)
    if (chosen === undefined) return yield* noPrice()
    const input = {
      service_id: service.id,
      type: "one_time",
      ...chosen,
      ...(channel !== undefined && { payer_channel: channel }),
    } as const
    return yield* requestPayment(asOwner(found.payee), input, options, codes).pipe(
      refusedForCode,
      retryConflict,
    )
  })
  const { text } = yield* answerOnce(
    {
      account_id: service.account_id,
      key: `static_code ${attempt}`,
      request: canonicalJson({ service_id: service.id, price, channel }),
      render: String,
      optimistic: true,
    },
    creating,
  )
  return text
})
