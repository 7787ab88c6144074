// Written independently of core/payments/IntentView.ts on purpose: see Model.ts. The fields are
// those of the interface.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { isCaptured, isTerminal, type Stamps } from "./lifecycle.ts"
import { type Fields, present } from "./shownFields.ts"
import { chargedFor, settledFor, takenValue } from "./taken.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A payment as an account saw it. `since` is the model's step when it asked. */
    readonly payment_shown: {
      readonly account: string
      readonly id: string
      readonly view: object | undefined
      readonly since: number
      readonly at: Timestamp
    }
  }
}

const time = (at: Timestamp | undefined): string | undefined =>
  at === undefined ? undefined : toIso(at)

/** What is settled and charged: of the captured part, once less than all was captured. */
const pricesOf = (payment: PaymentIntent, isPart: boolean) => {
  const { fees, settlement } = payment
  const { currency, rate, value } = settlement
  const { channel, service, spread } = chargedFor(payment)
  const money = (cents: number) => ({ currency, value: cents })
  const charged = {
    service: money(service),
    fx_spread: money(spread),
    channel: money(channel),
    total: money(service + spread + channel),
  }
  return {
    settlement: { currency, value: isPart ? settledFor(payment) : value, rate: Number(rate) },
    fees: fees === null || !isPart ? fees : charged,
  }
}

const PROMPT = "Choose how to pay: scan one of these codes with the wallet of your choice."

/** The codes of a payment: one, or one for each channel while its payer has the choice. */
const codesOf = ({ channel, flow, offers }: PaymentIntent): Fields => {
  if (flow === "one_time_pay") return {}
  const chosen = offers.find((offer) => offer.channel === channel)
  if (chosen !== undefined) {
    const { charge_id, qr_data, scan_url } = chosen
    return { qr: { charge_id, scan_url, qr_data } }
  }
  if (offers.length === 0) return { qr: null }
  const channels = offers.map(({ channel: offered, label, qr_data, scan_url }) => {
    return { channel: offered, qr_data, scan_url, label }
  })
  return { qr: null, channels, payer_prompt: PROMPT }
}

/** Fields that only payments in some states have. */
const endOf = (payment: PaymentIntent): Fields => {
  const { status } = payment
  const of = payment as Fields
  const isAsked = status === "capturing" || status === "debiting"
  const isUnsure = isAsked && of["channel_outcome"] === "unknown"
  const isPaid = status === "succeeded" || status === "completed"
  return {
    channel_outcome: isUnsure ? "unknown" : undefined,
    channel_txn_id: isPaid ? of["channel_txn_id"] : undefined,
    auto_paid: status === "completed" ? of["auto_paid"] : undefined,
    failure_code: status === "failed" ? of["failure_code"] : undefined,
    failure_message: status === "failed" ? of["failure_message"] : undefined,
  }
}

const expectedOf = (payment: PaymentIntent, account: string): Fields => {
  const { amount, channel, description, id, metadata, payee, refunded, service_id } = payment
  const { agent_id, human_id, wallet_id } = payment.payer
  const stamps = payment as Stamps
  const isPart = stamps.captured_at !== undefined && takenValue(payment) < amount.value
  const { fees, settlement } = pricesOf(payment, isPart)
  const status = { capturing: "authorized", debiting: "pending" } as const
  return present({
    id,
    service_id,
    type: "one_time",
    status: status[payment.status as "capturing"] ?? payment.status,
    amount,
    captured_amount: isPart ? { ...amount, value: takenValue(payment) } : undefined,
    refunded_amount: refunded.value > 0 ? { ...amount, value: refunded.value } : undefined,
    settlement,
    fees: account === payment.payee_account_id ? fees : undefined,
    description,
    payer: present({ agent_id, human_id, wallet_id: wallet_id ?? undefined }),
    payee,
    channel,
    ...codesOf(payment),
    deeplink: payment.flow === "one_time_pay" ? (payment.deeplink ?? undefined) : undefined,
    scanned_at: time(stamps.scanned_at),
    authorized_at: time(stamps.authorized_at),
    captured_at: time(stamps.captured_at),
    succeeded_at: time(stamps.succeeded_at),
    ...endOf(payment),
    return_url: payment.return_url ?? undefined,
    invoice: payment.invoice ?? undefined,
    metadata,
    created_at: toIso(payment.created_at),
    expires_at: toIso(payment.expires_at),
  })
}

/** Whether a payment may count as expired although nothing of that is stored. */
const mayHaveExpired = (payment: PaymentIntent, at: Timestamp, { clocksOff }: Model): boolean =>
  !isTerminal(payment.flow, payment.status) &&
  !isCaptured(payment.status) &&
  at + clocksOff >= payment.expires_at

const shown: Rule<"payment_shown"> = ({ account, at, id, since, view }, model) => {
  const known = model.intents.get(id)
  const last = known?.history.at(-1)
  if (view === undefined || known === undefined || last === undefined) return undefined
  // It has changed while it was read.
  if (last.step > since) return undefined
  if (mayHaveExpired(known.record, at, model)) return undefined
  const differs = difference(expectedOf(known.record, account), view)
  return differs === undefined ? undefined : `is shown to ${account} with ${differs}`
}

/** The rules about payments as they are shown. */
export const shownPaymentRules: Rulebook = { 157: { payment_shown: shown } }
