import { knowledge } from "../Knowledge.ts"
import type { Money } from "../../../core/shared/Money.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

/** The orders in people's words to the service, and what was done for them. */
class Spoken {
  /** The services that are paid only by words. */
  readonly services = new Set<string>()
  /** The ordered amounts; no two texts name the same amount. */
  readonly amounts = new Set<string>()
  /** The payments that people ordered to void. */
  readonly voids = new Set<string>()
  /** The reasons of the requested refunds; no two texts give the same reason. */
  readonly reasons = new Set<string>()
  readonly #done = new Map<string, string>()

  /** Returns the record that the same order made before, if it is another one. */
  earlier(what: string, id: string): string | undefined {
    const before = this.#done.get(what)
    if (before === undefined) this.#done.set(what, id)
    return before === id ? undefined : before
  }
}

/** Names a sum of money. */
export const namedSum = ({ currency, value }: Money): string => `${value} ${currency}`

/** The auditor's knowledge about spoken orders. The speakers report them. */
export const spoken = knowledge("spoken orders", Spoken)

/** The reason in every text that requests a refund, to tell these requests from others. */
export const SPOKEN_REASON = "lost parcel"

declare module "../Observation.ts" {
  interface Observations {
    /** The result of a text that orders nothing. */
    readonly overheard: { readonly text: string; readonly acted: boolean }
    /** The amount in a text that orders a payment, and the amount that was read in it. */
    readonly order_read: {
      readonly text: string
      readonly money: Money
      readonly read: Money | undefined
    }
  }
}

const once = (known: Spoken, what: string, id: string): Finding => {
  const before = known.earlier(what, id)
  return before === undefined ? undefined : `did once more what ${before} did: ${what}`
}

/** Checks that every payment, void and refund request by words was ordered, and is made once. */
const ordered: Rule<"write"> = ({ write }, model) => {
  const known = model.know(spoken)
  if (write.kind === "payment_intent" && known.services.has(write.record.service_id)) {
    const { amount, id, status } = write.record
    const sum = namedSum(amount)
    if (!known.amounts.has(sum)) return `pays ${sum}, which nobody ordered`
    if (status === "voided" && !known.voids.has(id)) return "was voided, which nobody ordered"
    return once(known, `pay ${sum}`, id)
  }
  if (write.kind !== "refund_request" || write.op !== "insert") return undefined
  const { id, reason } = write.record
  if (!reason.includes(SPOKEN_REASON)) return undefined
  if (!known.reasons.has(reason)) return `asks for a refund for "${reason}", which nobody ordered`
  return once(known, `refund for ${reason}`, id)
}

const leftAlone: Rule<"overheard"> = ({ acted, text }) =>
  acted ? `was taken for an order: ${text}` : undefined

/** Checks that an order's amount is read as it was meant. */
const readRight: Rule<"order_read"> = ({ money, read, text }) => {
  if (read === undefined) return `was not understood: ${text}`
  return namedSum(read) === namedSum(money)
    ? undefined
    : `orders ${namedSum(money)}, and was read as ${namedSum(read)}: ${text}`
}

/** The rules about what people say. */
export const spokenRules: Rulebook = {
  96: { write: ordered, overheard: leftAlone, order_read: readRight },
}
