import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { KEPT_BRIEFLY } from "../../ports/retention.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule } from "../Observation.ts"
import { isTerminal } from "./lifecycle.ts"
import { takenAt } from "./refunds.ts"

/** Returns the payment that a record is about; undefined for all other kinds. */
const toldOf = ({ kind, record }: Write, model: Model): string | undefined => {
  if (kind === "channel_request" || kind === "callback") return record.payment_intent
  if (kind === "delivery") return aboutWhat(record.event_id, model)
  return kind === "event" ? aboutWhat(record.id, model) : undefined
}

/** Returns the subject of an event. A report's subject is the subject of its delivery. */
const aboutWhat = (eventId: string, model: Model): string => {
  const subject = model.subjectOf(eventId) ?? ""
  const reported = model.deliveries.get(subject)?.event_id
  return reported === undefined ? subject : aboutWhat(reported, model)
}

const OVER: ReadonlySet<string> = new Set(["done", "refused", "delivered", "failed", "skipped"])

/** Returns why an old record may not be removed yet; undefined if it may. */
const neededStill = ({ kind, record }: Write, at: Timestamp, model: Model): string | undefined => {
  if (kind === "event") {
    const told = model.deliveriesOf(model.subjectOf(record.id) ?? "")
    const isLeft = ({ event_id, id }: (typeof told)[number]) =>
      event_id === record.id && model.versions.has(`delivery ${id}`)
    return told.some(isLeft) ? "while a delivery of it is kept" : undefined
  }
  if (kind !== "channel_request") return undefined
  if (record.action === "release" || (record.action === "refund" && record.refund === null)) {
    return "although it gives late money back"
  }
  const payment = model.intents.get(record.payment_intent)?.record
  if (payment === undefined || model.left.has(payment.id)) return undefined
  if (!isTerminal(payment.flow, payment.status)) return `while its payment is ${payment.status}`
  const taken = takenAt(payment)
  const days = find(defaultCatalog, payment.channel ?? "")?.refunds.window_days ?? 0
  const isPast = taken === undefined || at > taken + days * DAY - model.clocksOff
  const isPaid = payment.status === "succeeded" || payment.status === "completed"
  return isPaid && !isPast && model.booksOf(payment.id).taken > 0
    ? "while its payment can be refunded"
    : undefined
}

/** Checks that old records are removed only after their retention time, and with no work left. */
const leavesByAge = (write: Write, at: Timestamp, model: Model): Finding => {
  const { kind, record } = write
  if (
    kind !== "event" &&
    kind !== "delivery" &&
    kind !== "channel_request" &&
    kind !== "callback"
  ) {
    return undefined
  }
  const age = at - record.created_at
  if (age + model.clocksOff < KEPT_BRIEFLY[kind]) return `a ${kind} was removed after ${age} ms`
  const need = neededStill(write, at, model)
  return need === undefined ? undefined : `a ${kind} was removed ${need}`
}

/**
 * Checks that the records of a payment are removed with it, or later, when no work is left for
 * them.
 */
export const leavesWithIt: Rule<"write"> = ({ at, commit, write }, model) => {
  const about = write.op === "remove" ? toldOf(write, model) : undefined
  if (about === undefined) return undefined
  const { kind, record } = write
  const goes = commit.writes.some(
    (other) =>
      other.op === "remove" && other.kind === "payment_intent" && other.record.id === about,
  )
  const known = model.deliveries.get(record.id) ?? model.requests.get(record.id)
  const isOver =
    kind === "callback" ||
    (kind === "event" ? record.due_at === null : OVER.has(known?.status ?? ""))
  if (!isOver) return `a ${kind} was removed before its time`
  return goes ? undefined : leavesByAge(write, at, model)
}
