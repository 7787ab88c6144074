// Written independently of core/qr on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { recordOf } from "./attempt.ts"
import { isParty, paymentOf } from "./attemptedPayments.ts"

/** A request for a code at rest: of a service or a payment, for a channel or for its own. */
interface Asked {
  readonly of: "service" | "payment"
  readonly id: string
  readonly account: string
  readonly channel: string | undefined
}

declare module "../Observation.ts" {
  interface Observations {
    /** A code at rest, or the code of the error. */
    readonly code_shown: Asked & { readonly answer: object | string }
  }
}

const BASE = "https://payport.example"

const ofService = (service: ServiceManifest | undefined, asked: Asked): object | string => {
  const { account, channel, id } = asked
  const isPublic = service?.status === "active" || service?.status === "deprecated"
  if (service === undefined || !(isPublic || service.account_id === account)) return "NOT_FOUND"
  if (service.qr_mode !== "static") return "NOT_FOUND"
  if ((service.pricing.one_time ?? []).length === 0) return "INVALID_PRICING"
  const { accepted_channels, default_channel } = service
  const own = channel ?? default_channel ?? accepted_channels[0] ?? ""
  if (!accepted_channels.includes(own)) return "CHANNEL_UNAVAILABLE"
  return {
    service_id: id,
    channel: own,
    qr_data: `svc://pay/s/${id}?channel=${own}`,
    scan_url: `${BASE}/pay/s/${id}`,
  }
}

const ofPayment = (
  payment: PaymentIntent | undefined,
  { account, channel, id }: Asked,
): object | string => {
  if (payment === undefined || !isParty(payment, account)) return "NOT_FOUND"
  const offered = payment.offers.map((offer) => offer.channel)
  if (payment.flow === "one_time_pay" || offered.length === 0) return "NOT_FOUND"
  const only = offered.length === 1 ? offered[0] : undefined
  const own = channel ?? payment.channel ?? only ?? ""
  if (!offered.includes(own)) return "CHANNEL_UNAVAILABLE"
  return { payment_intent_id: id, channel: own, qr_data: `svc://pay/${id}?channel=${own}` }
}

const expectedOf = (asked: Asked, model: Model) =>
  asked.of === "service"
    ? ofService(recordOf(model, "service", asked.id), asked)
    : ofPayment(paymentOf(model, asked.id), asked)

const shown: Rule<"code_shown"> = ({ answer, ...asked }, model) => {
  const differs = difference(expectedOf(asked, model), answer)
  return differs === undefined
    ? undefined
    : `shows ${asked.account} for ${String(asked.channel)} a code with ${differs}`
}

/** The rules about codes that are shown. */
export const shownCodeRules: Rulebook = { 154: { code_shown: shown } }
