// Written independently of the schedules of the core on purpose: see Model.ts.

import type { ChannelRequest } from "../../../core/gateway/ChannelRequest.ts"
import type { Mandate } from "../../../core/installs/Mandate.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { Tab } from "../../../core/invoices/Tab.ts"
import type { Allowance } from "../../../core/kyc/codes/Allowance.ts"
import type { Verification } from "../../../core/kyc/verifications/Verification.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Write } from "../../../core/ports/Store.ts"
import type { ReconciliationRun } from "../../../core/reports/ReconciliationRun.ts"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import {
  DAY,
  fromIso,
  HOUR,
  MINUTE,
  SECOND,
  type Timestamp,
} from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { recordOf } from "./attempt.ts"
import type { Stamps } from "./lifecycle.ts"

/** The times at which a record may be due: exact ones, and waits from when it is stored. */
interface Due {
  readonly times: ReadonlyArray<Timestamp | null>
  readonly waits?: ReadonlyArray<number>
  /** The shortest and the longest wait, where it is spread. */
  readonly spread?: readonly [number, number]
}

const at = (...times: ReadonlyArray<Timestamp | null>): Due => ({ times })
const NEVER = at(null)
const after = (...waits: ReadonlyArray<number>): Due => ({ times: [], waits })

/** How long it is until a channel is asked again, by how often it has been. */
const ASKED = [SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY]
const askedAfter = (asks: number): number => ASKED[Math.min(asks, ASKED.length) - 1] ?? SECOND

/** When a call that did not arrive may be repeated, and when another process takes one over. */
const REPEATED_AFTER = MINUTE
const TAKEN_OVER_AFTER = 10 * SECOND

const ofRequest = (
  request: ChannelRequest,
  before: ChannelRequest | undefined,
): Due | undefined => {
  // It waits for an operator, which another rule judges.
  if (before !== undefined && before.attempts === request.attempts) return undefined
  const { action, attempts, created_at, refund, status } = request
  if (status === "done" || status === "refused") return NEVER
  const hasCaller = action === "capture" || action === "debit" || refund !== null
  if (before === undefined) return at(created_at + (hasCaller ? TAKEN_OVER_AFTER : 0))
  const wait = askedAfter(attempts)
  return { ...at(created_at + REPEATED_AFTER), waits: [wait, Math.min(wait, HOUR)] }
}

/** How long an invoice has waited for somebody who can be asked, as far as that counts. */
const [SHORTEST, LONGEST] = [MINUTE, 3 * HOUR]

const ofInvoice = (invoice: Invoice, before: Invoice | undefined, now: Timestamp): Due => {
  const { collection, created_at, pay_by, status } = invoice
  if (status !== "open") return NEVER
  if (pay_by !== created_at + 7 * DAY) return at(Number.NaN)
  if (collection === "asked") return at(pay_by)
  if (collection === "overdue") return { ...at(created_at + 14 * DAY), waits: [HOUR] }
  if (before === undefined) return at(created_at)
  // One that nobody could be asked for waits as long again as it has, spread by its id.
  const waited = Math.min(Math.max(now - created_at, SHORTEST), LONGEST)
  return { ...at(pay_by, created_at), waits: [HOUR], spread: [waited, 2 * waited] }
}

const ofRevocation = (revocation: Revocation, before: Revocation | undefined): Due => {
  const { attempts, status } = revocation
  if (status === "revoked") return at(revocation.revoked_at + DAY)
  if (status !== "pending") return NEVER
  if (before === undefined) return NEVER
  const again = [SECOND, 4 * SECOND, 16 * SECOND][attempts - 1]
  return attempts === 0 ? { ...NEVER, waits: [0] } : after(again ?? Number.NaN)
}

const ofTab = ({ closing, period_end, status, stopped }: Tab): Due => {
  if (closing !== null) return after(0)
  const ends = stopped.map(({ reported_until }) => reported_until)
  const known = [...ends, ...(status === "open" ? [period_end] : [])]
  const [first] = known.flatMap((end) => end ?? []).toSorted((a, b) => a - b)
  return ends.includes(null) ? { ...at(first ?? null), waits: [0] } : at(first ?? null)
}

const ofMandate = ({ asks, status }: Mandate, before: Mandate | undefined): Due => {
  if (status === "active") return NEVER
  if (before === undefined) return after(TAKEN_OVER_AFTER)
  const again = after(asks === 0 ? 0 : askedAfter(asks))
  return status === "pending" ? again : { ...again, times: [null] }
}

/** A level's end is announced thirty days before. */
const NOTICE = 30 * DAY

const ofVerification = (verification: Verification): Due => {
  const { keep_until, sealed, status } = verification
  const next =
    status === "pending"
      ? verification.retry_at
      : status === "verified" && verification.expires_at !== null
        ? verification.expires_at - (verification.noticed ? 0 : NOTICE)
        : null
  const times = [next, sealed === null ? null : keep_until].filter((time) => time !== null)
  return at(times.length === 0 ? null : Math.min(...times))
}

/** How long until a statement is asked for again, by how often it was not there. */
const MISSED = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]

/** How long nobody else compares what a process has begun to compare. */
const COMPARED_WITHIN = 5 * MINUTE

const ofRun = (run: ReconciliationRun, before: ReconciliationRun | undefined): Due => {
  const { attempts, day, runs } = run
  const first = (fromIso(`${day}T02:00:00Z`) ?? 0) + DAY
  // Null, since nothing is due after the end of a world.
  if (before === undefined) return at(first, null)
  if (attempts > before.attempts) return { ...NEVER, waits: [MISSED[attempts - 1] ?? 6 * HOUR] }
  if (runs === before.runs) return { ...NEVER, waits: [COMPARED_WITHIN] }
  return at(null, ...Array.from({ length: 5 }, (_, n) => first + n * DAY))
}

const ofAllowance = ({ locked_until, sent }: Allowance): Due =>
  at(Math.max(locked_until ?? 0, (sent.at(-1) ?? 0) + HOUR))

/** Returns when a record is due by its state; undefined if other rules judge that. */
const dueOf = (write: Write, model: Model, now: Timestamp): Due | undefined => {
  const { record } = write
  switch (write.kind) {
    case "channel_request":
      return ofRequest(write.record, model.requests.get(record.id))
    case "invoice":
      return ofInvoice(write.record, recordOf(model, "invoice", record.id), now)
    case "revocation":
      return ofRevocation(write.record, model.revocations.get(record.id))
    case "tab":
      return ofTab(write.record)
    case "mandate":
      return ofMandate(write.record, recordOf(model, "mandate", record.id))
    case "verification":
      return ofVerification(write.record)
    case "reconciliation_run":
      return ofRun(write.record, recordOf(model, "reconciliation_run", record.id))
    case "otp_allowance":
      return ofAllowance(write.record)
    case "subscription":
      return write.record.status === "cancelled" ? NEVER : at(write.record.current_period_end)
    case "refund_request":
      return write.record.status === "open" ? at(write.record.expires_at) : NEVER
    case "quote":
      return at(write.record.expires_at + DAY)
    case "event":
      return write.op === "insert" ? at(write.record.created_at, null) : NEVER
    default:
      return undefined
  }
}

/** How long a process may take between a decision and its commit, and if it was stopped lately. */
const SLOWNESS = 2 * SECOND
const STOPPED = 10 * MINUTE

/** Returns by how much less a record may have to wait than when its process has decided. */
export const slownessOf = (model: Model, now: Timestamp, held_up: number): number => {
  const stopped = model.upsetUntil > now - STOPPED ? STOPPED : 0
  return SLOWNESS + stopped + held_up + model.clocksOff
}

const due: Rule<"write"> = ({ at: now, held_up, write }, model): Finding => {
  if (write.op === "remove") return undefined
  const wanted = dueOf(write, model, now)
  if (wanted === undefined) return undefined
  const { record } = write
  const found = ("due_at" in record ? record.due_at : null) ?? null
  if (wanted.times.includes(found)) return undefined
  const slow = slownessOf(model, now, held_up)
  const isIn = (least: number, most: number): boolean =>
    found !== null && found >= now + least - slow && found <= now + most + model.clocksOff
  const { spread, waits = [] } = wanted
  if (waits.some((wait) => isIn(wait, wait))) return undefined
  if (spread !== undefined && isIn(...spread)) return undefined
  const status = "status" in record ? record.status : ""
  const wait = found === null ? "never due" : `due in ${found - now} ms`
  return `has ${write.kind} ${record.id} ${status}, which is ${wait}`
}

/** How long after its last move a channel is asked about a payment; daily after the last one. */
const ASKED_ABOUT = [30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR]
const BEFORE_EXPIRY = 30 * SECOND
const MOST_ASKS = 36

/** Checks that channels are asked about a payment in ever longer intervals. */
const asked: Rule<"intent"> = ({ after: now, at: time, before }, { clocksOff }): Finding => {
  const [was, is] = [before?.channel_asks ?? null, now.channel_asks]
  if (was === null || is === null || is === was || before?.status !== now.status) return undefined
  const { captured_at, ended_at } = now as PaymentIntent & Stamps
  if (is > MOST_ASKS) return `is asked about ${is} times`
  const since = now.status === "captured" ? captured_at : ended_at
  const wait = ASKED_ABOUT[was] ?? (was + 1 - ASKED_ABOUT.length) * DAY
  const first = since === undefined ? now.expires_at - BEFORE_EXPIRY : since + wait
  const early = first - time - clocksOff
  return early > 0 ? `is asked about ${early} ms too soon` : undefined
}

/** The rules about when work falls due. */
export const dueRules: Rulebook = { 153: { write: due, intent: asked } }
