// Written independently of core/gateway/ReturnHold.ts and core/dispatch on purpose: see Model.ts.

import type { ChannelRequest } from "../../../core/gateway/ChannelRequest.ts"
import { MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { slownessOf } from "./dueTimes.ts"

/** How long a held return waits until it is looked at again. */
const WAITS = 15 * MINUTE

/** How long a process may pause between a decision and what it does. */
const SLOWNESS = 5 * MINUTE

declare module "../Observation.ts" {
  interface Observations {
    /** An operator holds the returns of some payments, or of none any more. */
    readonly returns_held: {
      readonly created_before: Timestamp
      readonly ids: ReadonlySet<string>
      readonly at: Timestamp
    }
    /** What the service logs of a held return. */
    readonly hold_told: {
      readonly payment_intent: string
      readonly action: string
      readonly amount: ChannelRequest["amount"]
      readonly channel: string
    }
  }
}

class Holds {
  created_before: Timestamp = 0
  ids: ReadonlySet<string> = new Set()
  since: Timestamp = Infinity
  until: Timestamp = -Infinity
}

/** The auditor's knowledge about the returns that an operator holds. */
export const holds = knowledge("held returns", Holds)

const remember: Rule<"returns_held"> = ({ at, created_before, ids }, model) => {
  const known = model.know(holds)
  const isLifted = created_before === 0 && ids.size === 0
  if (isLifted) known.until = at
  else Object.assign(known, { created_before, ids, since: at, until: Infinity })
  return undefined
}

/** Whether the service gives the money of a request back by its own decision. */
const isReturn = ({ action, refund }: ChannelRequest): boolean =>
  action === "release" || (action === "refund" && refund === null)

/** Whether the operator has held the returns of a payment at some time. */
const isNamed = (payment: string, model: Model): boolean => {
  const { created_before, ids } = model.know(holds)
  const known = model.intents.get(payment)?.record
  return known !== undefined && (ids.has(payment) || known.created_at < created_before)
}

const dueOf = (request: ChannelRequest): Timestamp =>
  "due_at" in request ? request.due_at : Infinity

const notCalled: Rule<"call"> = ({ at, call }, model) => {
  const request = model.requests.get(call.number)
  if (request === undefined || !isReturn(request)) return undefined
  const { since, until } = model.know(holds)
  const isHeld = isNamed(request.payment_intent, model) && at > since + SLOWNESS && at < until
  return isHeld ? `is asked for a ${request.action} that an operator holds` : undefined
}

/** Checks that a request which was not sent waits for an operator, and for fifteen minutes. */
const waits: Rule<"write"> = ({ at, held_up, write }, model) => {
  if (write.kind !== "channel_request" || write.op !== "replace") return undefined
  const before = model.requests.get(write.record.id)
  const after = write.record
  if (before === undefined || before.attempts !== after.attempts) return undefined
  const isSame = before.status === after.status && dueOf(before) === dueOf(after)
  if (isSame) return undefined
  const { since, until } = model.know(holds)
  const delay = slownessOf(model, at, held_up)
  const isHeld =
    isReturn(after) && isNamed(after.payment_intent, model) && at >= since && at <= until + SLOWNESS
  if (!isHeld) return `waits with ${after.id}, which nobody holds`
  if (before.status !== after.status) return `has ${after.id} ${after.status} while it is held`
  const rest = dueOf(after) - at - WAITS
  return rest <= model.clocksOff && rest >= -delay ? undefined : `waits for ${WAITS + rest} ms`
}

/** Checks that what the operator is told of is a return that is held. */
const told: Rule<"hold_told"> = ({ action, amount, channel, payment_intent }, model): Finding => {
  const held = model
    .requestsOf(payment_intent)
    .some(
      (request) =>
        isReturn(request) &&
        request.action === action &&
        request.channel === channel &&
        request.amount.value === amount.value,
    )
  return held && isNamed(payment_intent, model) ? undefined : `tells of a ${action} not held`
}

/** The rules about returns that an operator holds. */
export const heldReturnRules: Rulebook = {
  152: { returns_held: remember, call: notCalled, write: waits, hold_told: told },
}
