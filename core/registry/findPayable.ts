import { Effect } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import * as Channel from "../channels/Channel.ts"
import { Installation } from "../ports/Installation.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"
import { isPublic, type ServiceManifest } from "./ServiceManifest.ts"

/** A service to pay, with the account that is paid. */
export interface Payable {
  readonly service: ServiceManifest
  readonly payee: Account
}

const notActive = (service: ServiceManifest) =>
  new Failure({
    code: "SERVICE_NOT_ACTIVE",
    message: `The service is ${service.status}. Only active services accept new payments.`,
    details: { service_id: service.id, status: service.status },
  })

const sellerSuspended = ({ id, status }: ServiceManifest) =>
  new Failure({
    code: "SERVICE_NOT_ACTIVE",
    message:
      "The seller is suspended by the operator of this payment service. " +
      "Its services accept no new payments.",
    details: { service_id: id, status, seller: "suspended" },
  })

/** A service, with the refusal of new payments; undefined if it can be paid. */
interface Sold extends Payable {
  readonly refusal: Failure<"NOT_FOUND" | "SERVICE_NOT_ACTIVE"> | undefined
}

/** Returns why a service accepts no payment of the caller; undefined if it does. */
const refusalOf = (caller: Caller, { payee, service }: Payable): Sold["refusal"] => {
  if (service.status !== "active") {
    const known = service.account_id === caller.account.id || isPublic(service)
    return known ? notActive(service) : notFound("service", service.id)
  }
  return payee.suspended_at === null ? undefined : sellerSuspended(service)
}

/**
 * Finds a service by its id, also one that cannot be paid now: a purchase that was made before is
 * answered again. The refusal is the answer to everything else.
 */
export const findSold = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
): Effect.fn.Return<Sold, Failure<"NOT_FOUND"> | StoreUnavailable, Store> {
  if (!isUuid(serviceId)) return yield* notFound("service", serviceId)
  const store = yield* Store
  const service = yield* store.find("service", serviceId)
  const payee = service && (yield* store.find("account", service.account_id))
  if (service === undefined || payee === undefined) return yield* notFound("service", serviceId)
  return { service, payee, refusal: refusalOf(caller, { payee, service }) }
})

/**
 * Finds an active service by its id, of a seller that is not suspended. For other accounts a
 * service that is neither active nor deprecated does not exist, even if they have used it before,
 * as in a lookup by id.
 */
export const findPayable = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
): Effect.fn.Return<
  Payable,
  Failure<"NOT_FOUND" | "SERVICE_NOT_ACTIVE"> | StoreUnavailable,
  Store
> {
  const { refusal, ...payable } = yield* findSold(caller, serviceId)
  return refusal === undefined ? payable : yield* refusal
})

const unservedCurrency = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `None of the service's channels supports the currency ${currency}.`,
    field: "amount.currency",
    details: {
      field: "amount.currency",
      value: currency,
      constraint: "must be an ISO 4217 currency that a channel of the service supports",
    },
  })

/** Refuses a currency that is unknown or that none of the service's channels takes. */
export const checkCurrency = (service: ServiceManifest, { currency }: Money) =>
  Effect.flatMap(Installation, ({ catalog, currencies }) => {
    const served =
      currencies.has(currency) &&
      catalog.some(
        (channel) =>
          service.accepted_channels.includes(channel.id) && Channel.serves(channel, currency),
      )
    return served ? Effect.void : Effect.fail(unservedCurrency(currency))
  })
