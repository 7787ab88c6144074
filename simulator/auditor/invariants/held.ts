// Written from the schemes `upto` and `auth-capture` of x402 and the intent `authorize` of MPP, and
// not from core/challenges. The channels' own books show what is held and taken.

import type { Money } from "../../../core/shared/Money.ts"
import { knowledge } from "../Knowledge.ts"
import type { Books } from "../Books.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { challenges } from "./challenges.ts"

/** What sellers were told about payments that are held first, or captured by usage. */
class Held {
  /** The amount reported as taken for each payment, in minor units; 0 if it was released. */
  readonly told = new Map<string, number>()
}

/** The auditor's knowledge about payments that are held first, or captured by usage. */
export const heldPayments = knowledge("held payments", Held)

declare module "../Observation.ts" {
  interface Observations {
    /** A seller was told that a payment is held, or how much of it was taken. */
    readonly told_of_hold: {
      readonly payment_intent: string
      /** The amount that was requested, 0 for nothing; null if the payment is to be held. */
      readonly asked: number | null
      /** The amount that was reported as taken or held. */
      readonly told: Pick<Money, "value">
    }
    /** A payment that was to be held first, or captured by usage, at rest. */
    readonly hold_at_rest: { readonly payment_intent: string }
  }
}

const sumOf = ({ entries }: Books, type: "hold" | "capture" | "release"): number =>
  entries.reduce((sum, entry) => sum + (entry.type === type ? entry.amount.value : 0), 0)

/** Checks that what a seller is told about a hold is in the books of the payment's channel. */
const asTold: Rule<"told_of_hold"> = ({ asked, payment_intent, told }, model) => {
  const books = model.booksOf(payment_intent)
  const [held, taken] = [sumOf(books, "hold"), sumOf(books, "capture")]
  if (asked === null) {
    return held === told.value ? undefined : `is told to hold ${told.value}, and holds ${held}`
  }
  const known = model.know(heldPayments)
  const before = known.told.get(payment_intent) ?? asked
  known.told.set(payment_intent, before)
  if (told.value !== asked) return `is told to take ${told.value}, where ${asked} was asked for`
  if (before !== asked) return `is told to take ${asked}, after ${before}`
  if (asked > held) return `is told to take ${asked} of ${held}`
  return taken === asked ? undefined : `is told to take ${asked}, and its channel has ${taken}`
}

/**
 * Checks that a channel takes at most what was authorised, once, nothing of a voided payment, and
 * nothing for a request after the payment's time.
 */
const withinHold: Rule<"entry"> = (entry, model) => {
  if (entry.type !== "capture") return undefined
  const { amount, number, out_trade_no } = entry
  const books = model.booksOf(out_trade_no)
  const held = sumOf(books, "hold")
  if (sumOf(books, "capture") > 0) return "is taken of again"
  if (amount.value > held) return `is taken ${amount.value} of, where ${held} was authorised`
  const known = model.intents.get(out_trade_no)
  if (known === undefined) return undefined
  if (known.history.some(({ status }) => status === "voided")) return "is taken after it was voided"
  const asked = model.requests.get(number ?? "")?.created_at ?? 0
  const late = asked - known.record.expires_at
  return late >= model.clocksOff && late >= 0 ? `is taken ${late} ms after its time` : undefined
}

/** Checks that only the payee releases a payment whose proof was accepted. */
const notGivenUp: Rule<"commit"> = ({ cause, commit }, model) => {
  if (cause.type !== "client") return undefined
  const given = commit.writes.find(
    ({ kind, op, record }) =>
      kind === "payment_intent" &&
      op === "replace" &&
      record.status === "voided" &&
      record.payee_account_id !== cause.account &&
      model.intents.get(record.id)?.record.status === "authorized" &&
      model.know(challenges).of(record.id)?.redeemed_at != null,
  )
  return given && `has ${given.record.id} voided by its payer, which its payee has accepted`
}

/** Checks that in the end the channel has taken what was reported, once, and holds nothing. */
const restsAsTold: Rule<"hold_at_rest"> = ({ payment_intent }, model) => {
  const books = model.booksOf(payment_intent)
  const told = model.know(heldPayments).told.get(payment_intent)
  const taken = sumOf(books, "capture")
  if (told !== undefined && taken !== told) return `has taken ${taken}, and ${told} was told`
  const left = sumOf(books, "hold") - taken - sumOf(books, "release")
  return left === 0 ? undefined : `has ${left} left of its hold`
}

/** The rules about payments that are held first, or captured by usage. */
export const heldRules: Rulebook = {
  99: { told_of_hold: asTold, commit: notGivenUp, entry: withinHold, hold_at_rest: restsAsTold },
}
