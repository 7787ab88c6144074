// Written from the intent `session` of MPP, and not from core/challenges. The draws are added up
// from the counted requests, and the channels' books show what was returned.

import type { Commit } from "../../../core/ports/Store.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** The auditor's knowledge about a session. */
class Session {
  /** The sum of its counted draws, in minor units. */
  drawn = 0
  /** The sums for which requests were let through. */
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

/** The auditor's knowledge about sessions. */
export const sessions = knowledge("sessions", Sessions)

declare module "../Observation.ts" {
  interface Observations {
    /** A request of a session that was let through, and what its seller was told. */
    readonly drew: {
      readonly payment_intent: string
      /** The total drawn with this request, as its buyer has stated. */
      readonly spent: number
      readonly told: { readonly drawn: number; readonly left: number } | undefined
      /** The model's step of the request. */
      readonly since: number
    }
    /** A session at rest. */
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

/** Checks that a draw counts its price, within the deposit of an open session; it closes once. */
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

/** Checks that each sum lets one request through, with taken money, and never after the close. */
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

/** Checks that a session is closed in the end, and the rest of its deposit returned once. */
const restWentBack: Rule<"session_at_rest"> = ({ payment_intent }, model) => {
  const { closed, drawn } = model.know(sessions).of(payment_intent)
  const [taken, back] = [
    sumOf(payment_intent, model, "capture"),
    sumOf(payment_intent, model, "refund"),
  ]
  // A channel that could not settle a deposit has returned all of it by itself.
  if (sumOf(payment_intent, model, "reversal") > 0) return undefined
  if (closed === undefined) {
    if (drawn > 0) return "is still open, though nobody draws from it"
    return back === 0 ? undefined : `gave ${back} back and is open`
  }
  return back + drawn === taken
    ? undefined
    : `has taken ${taken} for ${drawn}, and given ${back} back`
}

/** The rules about draws from deposits. */
export const sessionRules: Rulebook = {
  100: { commit: drawnInTurn, drew: passedOnce, session_at_rest: restWentBack },
}
