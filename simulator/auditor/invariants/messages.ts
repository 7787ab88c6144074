import { Exit } from "effect"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { isFailure } from "../../../core/shared/Failure.ts"
import { saysPayment, saysRefund } from "./eventFacts.ts"
import { identities } from "../Identities.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { isTerminal } from "./lifecycle.ts"

/** The event of an ended payment, by its status. */
export const FINAL_EVENT: { readonly [status: string]: Event["type"] } = {
  succeeded: "payment_intent.succeeded",
  completed: "payment_intent.succeeded",
  failed: "payment_intent.failed",
  expired: "payment_intent.expired",
  cancelled: "payment_intent.cancelled",
  voided: "payment_intent.cancelled",
}

const firstOf = (events: ReadonlyArray<Event>, flawOf: (event: Event) => Finding): Finding =>
  events.map(flawOf).find((flaw) => flaw !== undefined)

const told: Rule<"intent"> = ({ before, after, commit }) => {
  const events = (commit.events ?? []).filter(({ subject_id }) => subject_id === after.id)
  const ends = isTerminal(after.flow, after.status) && before?.status !== after.status
  const accounts = ends ? new Set([after.payee_account_id, after.account_id]) : new Set<string>()
  const right = events.every(
    ({ type, account_id, data }) =>
      type === FINAL_EVENT[after.status] && accounts.has(account_id) && data["id"] === after.id,
  )
  const complete = new Set(events.map(({ account_id }) => account_id)).size === accounts.size
  return right && complete && events.length === accounts.size
    ? firstOf(events, (event) => saysPayment(after, event))
    : `became ${after.status} and told ${events.map(({ type }) => type).join(", ") || "nobody"}`
}

/** Checks that a refund's end emits events to its payee and its payment's creator at once. */
const toldOfRefund: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "refund") return undefined
  const refund = write.record
  const { account_id, id, payee_account_id, status } = refund
  const ends = status !== "pending" && model.refunds.get(id)?.status === "pending"
  const accounts = ends ? new Set([account_id, payee_account_id]) : new Set<string>()
  const events = (commit.events ?? []).filter(({ subject_id }) => subject_id === id)
  const right = events.every(
    (event) => event.type === `refund.${status}` && accounts.has(event.account_id),
  )
  return right && events.length === accounts.size
    ? firstOf(events, (event) => saysRefund(refund, event))
    : `became ${status} and told ${events.map(({ type }) => type).join(", ") || "nobody"}`
}

/** Whether a commit expires a payment. Any process may do this, which releases what it holds. */
const isExpiry = ({ commit, at }: Observations["commit"], { clocksOff }: Model): boolean =>
  commit.writes.some(
    ({ kind, record }) =>
      kind === "payment_intent" &&
      record.status === "expired" &&
      at + clocksOff >= record.expires_at,
  )

const acts: Rule<"commit"> = (seen, model) => {
  const { cause, commit } = seen
  if (cause.type !== "callback" || cause.flaw === null || isExpiry(seen, model)) return undefined
  const acted = commit.writes.find(
    ({ kind }) => kind === "payment_intent" || kind === "channel_request" || kind === "refund",
  )
  return acted === undefined ? undefined : `changed a ${acted.kind} by a message with ${cause.flaw}`
}

/** Returns the write that a channel's message has caused: its record, or its subject's change. */
const changedBy = (seen: Observations["commit"], model: Model): Write | undefined =>
  seen.commit.writes.find((write) => {
    switch (write.kind) {
      case "payment_intent":
        return model.intents.get(write.record.id)?.record.status !== write.record.status
      case "refund":
        return model.refunds.get(write.record.id)?.status !== write.record.status
      case "discrepancy":
      case "channel_request":
        return write.op === "insert"
      default:
        return false
    }
  })

/** Checks that a message takes effect once, however often it arrives. */
const actsAgain: Rule<"commit"> = (seen, model) => {
  const { cause } = seen
  if (cause.type !== "callback" || cause.flaw !== null || isExpiry(seen, model)) return undefined
  const changed = changedBy(seen, model)
  if (changed === undefined) return undefined
  if (model.actedBy.has(cause.message)) {
    return `changed a ${changed.kind} by ${cause.message}, which had acted before`
  }
  model.actedBy.add(cause.message)
  return undefined
}

/** Checks that the effect of a message is stored together with the message. */
const writtenDown: Rule<"commit"> = (seen, model) => {
  const { cause, commit } = seen
  if (cause.type !== "callback" || cause.flaw !== null || isExpiry(seen, model)) return undefined
  const changed = changedBy(seen, model)
  if (changed === undefined) return undefined
  return commit.writes.some(({ kind }) => kind === "callback")
    ? undefined
    : `changed a ${changed.kind} by ${cause.message}, which is not written down`
}

/** The event of a verification, by its status. */
const TOLD_OF: { readonly [status: string]: Event["type"] } = {
  verified: "kyc.verified",
  rejected: "kyc.rejected",
  expired: "kyc.expired",
}

/** Checks that a verification's end emits an event to its account, unless a newer replaces it. */
const toldOfVerification: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "verification") return undefined
  const { account_id, agent, id, status } = write.record
  const before = model.know(identities).verifications.get(id)?.status
  const isReplaced =
    status === "expired" &&
    commit.writes.some(
      ({ kind, record }) =>
        kind === "verification" &&
        record.id !== id &&
        record.agent === agent &&
        record.status === "verified",
    )
  const due = before === status || isReplaced ? undefined : TOLD_OF[status]
  const events = (commit.events ?? []).filter(
    ({ subject_id, type }) => subject_id === id && type !== "kyc.expiring",
  )
  const right = events.every((event) => event.type === due && event.account_id === account_id)
  return right && events.length === (due === undefined ? 0 : 1)
    ? undefined
    : `became ${status} and told ${events.map(({ type }) => type).join(", ") || "nobody"}`
}

const oneOwner: Rule<"intent"> = ({ after }, model) => {
  if (after.trade_no === null || after.channel === null) return undefined
  const owner = model.trades.get(`${after.channel} ${after.trade_no}`) ?? after.id
  return owner === after.id ? undefined : `has trade ${after.trade_no} of ${owner}`
}

/** Answers that a client may treat as final although the message was genuine. */
const BUSY: ReadonlySet<string> = new Set(["TEMPORARILY_UNAVAILABLE"])

const heard: Rule<"callback"> = ({ flaw, exit, trade_status }) => {
  if (flaw !== null || Exit.isSuccess(exit)) return undefined
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return isFailure(error) && BUSY.has(error.code)
    ? undefined
    : `had its genuine ${trade_status} refused: ${String(exit.cause)}`
}

const noStrayEvent: Rule<"commit"> = ({ commit }) => {
  const written = new Set(
    commit.writes.map(({ kind, record }) => (kind === "revocation" ? record.refund : record.id)),
  )
  const pays = commit.writes.some(({ kind }) => kind === "payment_intent")
  const stray = (commit.events ?? []).find(
    ({ subject_id, type }) => !written.has(subject_id) && !(type === "budget.alert" && pays),
  )
  return stray === undefined ? undefined : `told ${stray.type} of nothing that happened`
}

const oneKindOfEnd: Rule<"intent"> = ({ after, commit }, model) => {
  const types = new Set(model.intents.get(after.id)?.told)
  for (const event of commit.events ?? []) {
    if (event.subject_id === after.id) types.add(event.type)
  }
  return types.size > 1 ? `told both ${[...types].join(" and ")}` : undefined
}

/** The rules about messages of channels to the service, and of the service to others. */
export const messageRules: Rulebook = {
  21: { commit: (seen, model) => acts(seen, model) ?? actsAgain(seen, model) },
  22: { intent: oneOwner },
  28: {
    intent: told,
    write: (seen, model) => toldOfRefund(seen, model) ?? toldOfVerification(seen, model),
    commit: noStrayEvent,
  },
  35: { intent: oneKindOfEnd },
  51: { callback: heard },
  110: { commit: writtenDown },
}
