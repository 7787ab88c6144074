import { knowledge } from "../Knowledge.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

/** What was said to the service, so far as it orders something, and what was done of it. */
class Spoken {
  /** The services that are paid by words only. */
  readonly services = new Set<string>()
  /** The amounts that were ordered to be paid, in cents; no two texts name the same. */
  readonly amounts = new Set<number>()
  /** The payments that were ordered to be voided. */
  readonly voids = new Set<string>()
  /** The reasons of the refunds that were asked for; no two texts give the same. */
  readonly reasons = new Set<string>()
  readonly #done = new Map<string, string>()

  /** The record that the same was done by before, if another one. */
  earlier(what: string, id: string): string | undefined {
    const before = this.#done.get(what)
    if (before === undefined) this.#done.set(what, id)
    return before === id ? undefined : before
  }
}

/** What the auditor keeps in mind of what was said: those who say it tell. */
export const spoken = knowledge("spoken orders", Spoken)

/** What every text says that asks for a refund, so that it is told from what is asked otherwise. */
export const SPOKEN_REASON = "lost parcel"

declare module "../Observation.ts" {
  interface Observations {
    /** What became of a text that orders nothing. */
    readonly overheard: { readonly text: string; readonly acted: boolean }
  }
}

const once = (known: Spoken, what: string, id: string): Finding => {
  const before = known.earlier(what, id)
  return before === undefined ? undefined : `did once more what ${before} did: ${what}`
}

/** What is paid, voided and asked back by words is what somebody ordered, and once. */
const ordered: Rule<"write"> = ({ write }, model) => {
  const known = model.know(spoken)
  if (write.kind === "payment_intent" && known.services.has(write.record.service_id)) {
    const { amount, id, status } = write.record
    if (!known.amounts.has(amount.value) || amount.currency !== "USD") {
      return `pays ${amount.value} ${amount.currency}, which nobody ordered`
    }
    if (status === "voided" && !known.voids.has(id)) return "was voided, which nobody ordered"
    return once(known, `pay ${amount.value}`, id)
  }
  if (write.kind !== "refund_request" || write.op !== "insert") return undefined
  const { id, reason } = write.record
  if (!reason.includes(SPOKEN_REASON)) return undefined
  if (!known.reasons.has(reason)) return `asks for a refund for "${reason}", which nobody ordered`
  return once(known, `refund for ${reason}`, id)
}

const leftAlone: Rule<"overheard"> = ({ acted, text }) =>
  acted ? `was taken for an order: ${text}` : undefined

/** What is done of what people say. */
export const spokenRules: Rulebook = { 96: { write: ordered, overheard: leftAlone } }
