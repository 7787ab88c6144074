import { canonicalJson } from "../../../core/shared/Text.ts"
import type { Finding, Observations } from "../../auditor/Observation.ts"
import { isTerminal, leadsTo } from "../../auditor/invariants/lifecycle.ts"
import { flowOf, type RestingPayment, type SeenPayment, timeOf } from "../Seen.ts"

type Shown = Observations["shown"]

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/** What an ended payment shows for good. */
const ENDED = [
  "status",
  "amount",
  "settlement",
  "scanned_at",
  "authorized_at",
  "captured_at",
  "succeeded_at",
  "failure_code",
] as const satisfies ReadonlyArray<keyof SeenPayment>

const differing = (
  fields: ReadonlyArray<keyof SeenPayment>,
  before: SeenPayment,
  after: SeenPayment,
) =>
  fields.find(
    (field) => canonicalJson(before[field] ?? null) !== canonicalJson(after[field] ?? null),
  )

/** Nothing of what has ended changes. */
export const stays = ({ after, before, flow }: Shown): Finding => {
  if (before === undefined || !isTerminal(flow, before.status)) return undefined
  const changed = differing(ENDED, before, after)
  return changed === undefined
    ? undefined
    : `was ${before.status} and changed its ${changed} (${after.status})`
}

/** An answer is never older than one that was had before it was asked for. */
export const isNoOlder = ({ after, before, flow }: Shown): Finding => {
  if (before === undefined || before.status === after.status) return undefined
  const [was, is] = [before.status, after.status]
  return leadsTo(flow, is, was) && !leadsTo(flow, was, is)
    ? `was shown ${is} after it had been shown ${was}`
    : undefined
}

/** A change that is no step back leads along the table. */
export const onPath = (seen: Shown): Finding => {
  const { after, before, flow } = seen
  if (before === undefined || before.status === after.status) return undefined
  if (isNoOlder(seen) !== undefined || isTerminal(flow, before.status)) return undefined
  return leadsTo(flow, before.status, after.status)
    ? undefined
    : `went from ${before.status} to ${after.status}`
}

/** A payment has one code a channel, and is paid at a channel that was offered. */
export const offeredOnce = ({ acknowledged, seen }: RestingPayment): Finding => {
  const offers = (acknowledged.channels ?? []).map(({ channel }) => channel)
  if (new Set(offers).size !== offers.length) return "offers one channel twice"
  const offered = acknowledged.channel === null ? offers : [acknowledged.channel]
  return seen.channel === null || offered.includes(seen.channel)
    ? undefined
    : `is of ${seen.channel}, and was offered ${offered.join() || "nothing"}`
}

/** What advances does so before `expires_at`, and what expires does not before it. */
export const beforeExpiry = ({ events, seen }: RestingPayment): Finding => {
  const expires = timeOf(seen.expires_at)
  const advanced =
    flowOf(seen) === "one_time_pay" && seen.auto_paid !== true ? seen.succeeded_at : undefined
  const times = [seen.scanned_at, seen.authorized_at, advanced]
  const late = times.find((time) => time !== undefined && timeOf(time) >= expires)
  if (late !== undefined) return `advanced at ${late}, after it had expired at ${seen.expires_at}`
  const early = events.find(
    ({ created_at, type }) => type === "payment_intent.expired" && timeOf(created_at) < expires,
  )
  return early === undefined ? undefined : `expired at ${early.created_at}, before its time`
}

/** Of capture, void and cancel one is answered as done. */
export const oneWinner = ({ done }: RestingPayment): Finding => {
  const isCaptured = done.has("capture")
  return isCaptured && done.size > 1 ? `was answered as done: ${[...done].join(", ")}` : undefined
}

/** A payment that nobody has paid stays unpaid, whatever was forged. */
export const paidByWallet = ({ paid, seen }: RestingPayment): Finding =>
  !paid && PAID.has(seen.status) ? `is ${seen.status} though nobody has paid it` : undefined

const KEPT = [
  "service_id",
  "amount",
  "settlement",
  "description",
  "metadata",
  "payee",
  "created_at",
  "expires_at",
] as const satisfies ReadonlyArray<keyof SeenPayment>

/** What the first answer said of a payment is what there is. */
export const isKept = ({ acknowledged, seen }: RestingPayment): Finding => {
  const changed = differing(KEPT, acknowledged, seen)
  return changed === undefined ? undefined : `was made with another ${changed} than it rests with`
}

/** A purchase that is pending or completed is not made again while it is. */
export const boughtOnce = ({ eventsOfThose, samePurchase, seen }: RestingPayment): Finding => {
  const made = timeOf(seen.created_at)
  const standing = samePurchase.find((other) => {
    if (timeOf(other.created_at) >= made) return false
    if (other.status === "completed" || other.status === "pending") return true
    const end = eventsOfThose.find(
      ({ data, type }) => type.startsWith("payment_intent.") && data["id"] === other.id,
    )
    const ended = Math.min(timeOf(end?.created_at ?? other.expires_at), timeOf(other.expires_at))
    return ended > made
  })
  return standing === undefined ? undefined : `buys again what ${standing.id} buys`
}
