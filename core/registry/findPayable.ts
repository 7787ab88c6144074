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
  if (!isUuid(serviceId)) return yield* notFound("service", serviceId)
  const store = yield* Store
  const service = yield* store.find("service", serviceId)
  if (service === undefined) return yield* notFound("service", serviceId)
  if (service.status !== "active") {
    const known = service.account_id === caller.account.id || isPublic(service)
    return yield* known ? notActive(service) : notFound("service", serviceId)
  }
  const payee = yield* store.find("account", service.account_id)
  if (payee === undefined) return yield* notFound("service", serviceId)
  if (payee.suspended_at !== null) return yield* sellerSuspended(service)
  return { service, payee }
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
