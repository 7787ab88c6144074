// Written from the intent `session` of MPP, and not from core/challenges: what was drawn is added
// up from what requests were counted for, and what went back is read in the channels' books.

import type { Commit } from "../../../core/ports/Store.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** What is known of a session. */
class Session {
  /** What was counted as drawn of it, in minor units. */
  drawn = 0
  /** The sums that requests were let through for. */
  readonly passed = new Set<number>()
  /** The model's step at which it was closed; undefined while it is open. */
  closed: number | undefined
}

/** The sessions by their deposits' payments. */
class Sessions {
  readonly #known = new Map<string, Session>()

  of(payment: string): Session {
    const session = this.#known.get(payment) ?? new Session()
    this.#known.set(payment, session)
    return session
  }
}

/** What the auditor keeps in mind of sessions. */
export const sessions = knowledge("sessions", Sessions)

declare module "../Observation.ts" {
  interface Observations {
    /** A request of a session that was let through, and what its seller was told. */
    readonly drew: {
      readonly payment_intent: string
      /** What was drawn with it in all, as its buyer has said. */
      readonly spent: number
      readonly told: { readonly drawn: number; readonly left: number } | undefined
      /** The model's step when it was asked for. */
      readonly since: number
    }
    /** A session once everything rests. */
    readonly session_at_rest: { readonly payment_intent: string }
  }
}

const sumOf = (payment: string, model: Model, ...types: ReadonlyArray<string>): number =>
  model
    .booksOf(payment)
    .entries.reduce((sum, { amount, type }) => sum + (types.includes(type) ? amount.value : 0), 0)

const ROUTE = /^POST \/v1\/payment-challenges\/([^/]+)\/(draw|close)$/

const challengeIn = ({ writes }: Commit) => {
  const found = writes.find(({ kind, op }) => kind === "challenge" && op === "replace")
  return found?.kind === "challenge" ? found.record : undefined
}

const refundIn = ({ writes }: Commit) => {
  const found = writes.find(({ kind, op }) => kind === "refund" && op === "insert")
  return found?.kind === "refund" ? found.record : undefined
}

/** A draw counts its price, within what is there and while the session is open; it closes once. */
const drawnInTurn: Rule<"commit"> = ({ cause, commit }, model) => {
  const record = challengeIn(commit)
  const route = cause.type === "client" ? ROUTE.exec(cause.route) : null
  const payment = record?.payment_intent ?? route?.[1]
  if (payment === undefined) return undefined
  const session = model.know(sessions).of(payment)
  const taken = sumOf(payment, model, "capture")
  const refund = refundIn(commit)
  const isClosed = record !== undefined && record.closed_at !== null
  if (isClosed || (route?.[2] === "close" && refund !== undefined)) {
    const again = session.closed !== undefined && refund !== undefined
    session.closed ??= model.step
    if (again) return "is closed again, and gives its rest back twice"
    const value = refund?.amount.value ?? 0
    return refund === undefined || value === taken - session.drawn
      ? undefined
      : `gives ${value} back of ${taken}, of which ${session.drawn} was drawn`
  }
  if (cause.type !== "client" || route?.[2] !== "draw") return undefined
  const price = (record?.drawn ?? session.drawn) - session.drawn
  if (price === 0) return undefined
  const { price: asked } = cause.body as { readonly price: number }
  session.drawn += price
  if (price !== asked) return `counts ${price} for a request of ${asked}`
  if (session.closed !== undefined) return "is drawn from after it was closed"
  return session.drawn <= taken ? undefined : `is drawn ${session.drawn} of ${taken}`
}

/** Each sum lets one request through, of money that was taken, and of no closed session. */
const passedOnce: Rule<"drew"> = ({ payment_intent, since, spent, told }, model) => {
  const session = model.know(sessions).of(payment_intent)
  const { closed, drawn, passed } = session
  if (passed.has(spent)) return `lets two requests through for the sum ${spent}`
  passed.add(spent)
  if (drawn < spent) return `lets a request through for ${spent}, where ${drawn} is counted`
  if (closed !== undefined && closed < since) return "lets a request through after it was closed"
  const taken = sumOf(payment_intent, model, "capture")
  if (spent > taken) return `lets a request through for ${spent} of ${taken}`
  return told === undefined || (told.drawn === spent && told.left === taken - spent)
    ? undefined
    : `says that ${told.drawn} is drawn and ${told.left} left, of ${taken} with ${spent} drawn`
}

/** A session is closed in the end, and what was not drawn of it has gone back, once. */
const restWentBack: Rule<"session_at_rest"> = ({ payment_intent }, model) => {
  const { closed, drawn } = model.know(sessions).of(payment_intent)
  const [taken, back] = [
    sumOf(payment_intent, model, "capture"),
    sumOf(payment_intent, model, "refund"),
  ]
  // A channel that could not settle a deposit has given all of it back by itself.
  if (sumOf(payment_intent, model, "reversal") > 0) return undefined
  if (closed === undefined) {
    if (drawn > 0) return "is still open, though nobody draws from it"
    return back === 0 ? undefined : `gave ${back} back and is open`
  }
  return back + drawn === taken
    ? undefined
    : `has taken ${taken} for ${drawn}, and given ${back} back`
}

/** What is drawn from deposits. */
export const sessionRules: Rulebook = {
  100: { commit: drawnInTurn, drew: passedOnce, session_at_rest: restWentBack },
}
