// Written independently of core/hosted on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import { levelLimits } from "../LevelLimits.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { saysTheSame } from "../saysTheSame.ts"
import { centsOf } from "./exchange.ts"

/** What a person chose on the page of a printed code. */
export interface Chosen {
  readonly amount: { readonly currency: string; readonly value: number }
  /** The label of a listed price; undefined for an amount that the person typed. */
  readonly label: string | undefined
}

interface ByCode {
  readonly service_id: string
  readonly attempt: string
  readonly chosen: Chosen
  /** When the attempt was sent first. */
  readonly since: Timestamp
  readonly at: Timestamp
  /** The payment that the answer names, as it is stored; undefined if it is not. */
  readonly payment: PaymentIntent | undefined
  /** The id that the answer names; undefined for a refusal. */
  readonly answer: string | undefined
  readonly code: string | undefined
}

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to a person who pays by a printed code. */
    readonly by_code: ByCode
  }
}

interface Version {
  readonly manifest: ServiceManifest
  readonly from: Timestamp
}

/** The versions of the services that have printed codes, and what was paid by the codes. */
class PrintedCodes {
  readonly #versions = new Map<string, Array<Version>>()
  /** By attempt, the payment that it has made. */
  readonly payments = new Map<string, string>()
  /** By payment, the attempt that has made it. */
  readonly attempts = new Map<string, string>()

  learn(manifest: ServiceManifest, at: Timestamp): void {
    const before = this.#versions.get(manifest.id) ?? []
    if (before.length === 0 && manifest.qr_mode !== "static") return
    this.#versions.set(manifest.id, [...before, { manifest, from: at }])
  }

  /** Returns the versions that were in force at some moment of a span of time. */
  within(service_id: string, since: Timestamp, at: Timestamp): ReadonlyArray<ServiceManifest> {
    const versions = this.#versions.get(service_id) ?? []
    return versions.flatMap(({ from, manifest }, index) => {
      const until = versions[index + 1]?.from ?? Infinity
      return from <= at && until >= since ? [manifest] : []
    })
  }
}

/** The auditor's knowledge about printed codes. */
export const printedCodes = knowledge(
  "printed codes",
  PrintedCodes,
  (known, { kind, op, record }, at) => {
    if (kind === "service" && op !== "remove") known.learn(record, at)
  },
)

/** Tells whether a service sells at the chosen price by its printed code. */
const sells = ({ pricing, qr_mode, status }: ServiceManifest, { amount, label }: Chosen) => {
  if (status !== "active" || qr_mode !== "static") return false
  const { currency, value } = amount
  if (label !== undefined) {
    return (pricing.one_time ?? []).some(
      (one) => one.label === label && one.currency === currency && one.amount === value,
    )
  }
  const { open_amount: open } = pricing
  if (open === undefined || open.currency !== currency || value < 1) return false
  return value >= (open.minimum ?? value) && value <= (open.maximum ?? value)
}

/** Refusals that have other reasons than the service and the price. */
const PASSING: ReadonlySet<string> = new Set([
  "CHANNEL_TEMPORARILY_UNAVAILABLE",
  "CHANNEL_UNAVAILABLE",
  "CONNECTION_LOST",
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "OUTCOME_UNKNOWN",
  "TEMPORARILY_UNAVAILABLE",
])

/** The seller's currency: every other amount needs a rate, which may be missing. */
const DOLLAR = "USD"

/**
 * Whether the day of a service's seller may have no room for so many cents more. Sellers of a world
 * have the highest level. A payment may count in the day after its own, and at another rate than
 * the auditor's, so each counts twice.
 */
const mayBeFull = (service: ServiceManifest, cents: number, at: Timestamp, model: Model) => {
  let sum = cents
  for (const { record } of model.intents.values()) {
    if (record.payee_account_id !== service.account_id || record.payer_account_id !== null) continue
    if (record.created_at > at - 2 * DAY) sum += 2 * centsOf(record, model)
  }
  return sum > (model.know(levelLimits).daily.at(-1) ?? 0)
}

const refused = ({ at, chosen, code = "", service_id, since }: ByCode, model: Model): Finding => {
  const { currency, value } = chosen.amount
  if (PASSING.has(code) || (code === "INVALID_AMOUNT" && currency !== DOLLAR)) return undefined
  const [least = 0] = model.know(levelLimits).atOnce
  const isHigh = currency !== DOLLAR || value > least
  const versions = model.know(printedCodes).within(service_id, since, at)
  const isFull = () => versions.some((version) => mayBeFull(version, value, at, model))
  if (code === "INSUFFICIENT_KYC" && (isHigh || isFull())) return undefined
  return versions.some((version) => !sells(version, chosen))
    ? undefined
    : `refuses ${value} ${currency} with ${code}, which its page shows`
}

const isAsChosen = ({ chosen, payment, service_id }: ByCode, manifest: ServiceManifest) =>
  payment !== undefined &&
  payment.service_id === service_id &&
  payment.payee_account_id === manifest.account_id &&
  payment.payer_account_id === null &&
  saysTheSame(payment.amount, chosen.amount) &&
  (chosen.label === undefined || payment.description === chosen.label)

const answered = (seen: ByCode, answer: string, model: Model): Finding => {
  const { at, attempt, chosen, payment, service_id, since } = seen
  const known = model.know(printedCodes)
  const earlier = known.payments.get(attempt) ?? answer
  const other = known.attempts.get(answer) ?? attempt
  known.payments.set(attempt, earlier)
  known.attempts.set(answer, other)
  if (earlier !== answer) return `makes ${answer} by an attempt that has made ${earlier}`
  if (other !== attempt) return `answers two attempts with ${answer}`
  const versions = known.within(service_id, since, at)
  const { currency, value } = chosen.amount
  if (!versions.some((version) => sells(version, chosen))) {
    return `is paid ${value} ${currency}, which it has not asked for since`
  }
  return versions.some((version) => isAsChosen(seen, version))
    ? undefined
    : `makes ${JSON.stringify(payment?.amount)} of ${value} ${currency}`
}

const byCode: Rule<"by_code"> = (seen, model) =>
  seen.answer === undefined ? refused(seen, model) : answered(seen, seen.answer, model)

/** The rules about what is sold by printed codes. */
export const printedCodeRules: Rulebook = { 122: { by_code: byCode } }
