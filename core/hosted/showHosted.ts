import { Clock, Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { hostedPayment, standingOf } from "./HostedPayment.ts"
import { isOnSale } from "./StaticCode.ts"

/** Finds a payment by its id, for any caller. Fails with `NOT_FOUND`. */
export const findHosted = Effect.fnUntraced(function* (id: string) {
  const stored = isId("pi", id) ? yield* (yield* Store).find("payment_intent", id) : undefined
  return stored ?? (yield* notFound("payment", id))
})

/**
 * Shows a payment to everyone with its link, that is, to its payer (Request Payment, `scan_url`).
 */
export const showHosted = Effect.fn("showHosted")(function* (id: string) {
  const store = yield* Store
  const { catalog } = yield* Installation
  const intent = yield* findHosted(id)
  const service = yield* store.find("service", intent.service_id)
  const payee = yield* store.find("account", intent.payee_account_id)
  const { agent_id } = intent.payee
  const isSold = service !== undefined && isOnSale(service) && payee?.suspended_at === null
  const seller = {
    service: service?.name ?? agent_id,
    payee: payee?.name ?? agent_id,
    code_of: isSold ? service.id : null,
  }
  return hostedPayment(intent, seller, catalog, yield* Clock.currentTimeMillis)
})

/** Returns a payment's standing, for pages that already show the rest. */
export const showStanding = Effect.fn("showStanding")(function* (id: string) {
  return standingOf(yield* findHosted(id), yield* Clock.currentTimeMillis)
})
