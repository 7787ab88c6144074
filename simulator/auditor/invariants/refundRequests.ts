import type { RefundRequest } from "../../../core/refundRequests/RefundRequest.ts"
import type { Commit } from "../../../core/ports/Store.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

/** How long a payee has to decide, as promised to buyers. */
const PROMISED = 7 * DAY

/** The auditor's knowledge about refund requests, as they were stored last. */
class Asked {
  readonly byId = new Map<string, RefundRequest>()
  /** The open request of a payment. */
  readonly open = new Map<string, string>()
  /** By refund, the request that it was made for. */
  readonly refunds = new Map<string, string>()
}

/** The auditor's knowledge about refund requests. */
export const refundRequests = knowledge("refund requests", Asked, (known, write) => {
  if (write.kind !== "refund_request") return
  const { record } = write
  known.byId.set(record.id, record)
  if (record.status === "open") known.open.set(record.payment_intent, record.id)
  else if (known.open.get(record.payment_intent) === record.id) {
    known.open.delete(record.payment_intent)
  }
  if (record.status === "approved") known.refunds.set(record.refund, record.id)
})

/** The receivers and events for each new status of a request. */
const HEARD = {
  open: { type: "refund.requested", who: "payee_account_id" },
  approved: undefined,
  declined: { type: "refund.declined", who: "account_id" },
  withdrawn: { type: "refund.withdrawn", who: "payee_account_id" },
  expired: { type: "refund.declined", who: "account_id" },
} as const

const toldOf = (record: RefundRequest, commit: Commit): Finding => {
  const heard = HEARD[record.status]
  const told = (commit.events ?? []).filter(({ subject_id }) => subject_id === record.id)
  const right = told.every(
    ({ account_id, data, type }) =>
      type === heard?.type && account_id === record[heard.who] && data["status"] === record.status,
  )
  return right && told.length === (heard === undefined ? 0 : 1)
    ? undefined
    : `became ${record.status} and told ${told.map(({ type }) => type).join(", ") || "nobody"}`
}

const refundOf = (record: RefundRequest, commit: Commit, known: Asked): Finding => {
  if (record.status !== "approved") return undefined
  const { id, payment_intent, refund } = record
  const made = commit.writes.some(
    (write) =>
      write.kind === "refund" &&
      write.op === "insert" &&
      write.record.id === refund &&
      write.record.payment_intent === payment_intent,
  )
  if (!made) return `was approved without a refund of ${payment_intent}`
  const other = known.refunds.get(refund)
  return other === undefined || other === id ? undefined : `shares ${refund} with ${other}`
}

const decided: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "refund_request") return undefined
  const { record } = write
  const known = model.know(refundRequests)
  const before = known.byId.get(record.id)
  if (before !== undefined && before.status !== "open") {
    return `was ${before.status} and became ${record.status}`
  }
  return refundOf(record, commit, known) ?? toldOf(record, commit)
}

const openFor: Rule<"write"> = ({ at, held_up, write }, model) => {
  if (write.kind !== "refund_request") return undefined
  const { record } = write
  const { expires_at, id, payment_intent, status } = record
  const other = model.know(refundRequests).open.get(payment_intent)
  if (status === "open" && other !== undefined && other !== id) return `is open beside ${other}`
  if (expires_at - record.created_at !== PROMISED) return "is not open for seven days"
  const { clocksOff } = model
  if (status === "expired" && at + clocksOff < expires_at) return "expired before its time"
  const late = at - held_up - clocksOff > expires_at
  return late && status !== "expired" && status !== "open" ? `was ${status} too late` : undefined
}

/** The rules about refund requests (Refunds and revocations). */
export const refundRequestRules = {
  91: { write: decided },
  92: { write: openFor },
} satisfies Rulebook
