// The schedules and signatures are written independently of core/webhooks on purpose, so that the
// rules do not come from the code that they check.

import { createHmac } from "node:crypto"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Delivery } from "../../../core/webhooks/deliveries/Delivery.ts"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import { LONGEST_REST } from "../../world/processes/worker.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import type { Model } from "../Model.ts"

const ENDED: ReadonlyArray<Delivery["status"]> = ["delivered", "failed", "skipped"]

/** The waits between the attempts at a service's own endpoint, and at a registered endpoint. */
const SERVICE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]
const REGISTERED = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  24 * HOUR,
  72 * HOUR,
]

/** Returns the waits for a delivery's kind of endpoint. */
export const waitsOf = ({ endpoint_id }: Pick<Delivery, "endpoint_id">) =>
  endpoint_id === null ? SERVICE : REGISTERED

/** Returns the status that a delivery must have after its latest attempt. */
const verdict = (delivery: Delivery): Delivery["status"] => {
  const status = delivery.attempts.at(-1)?.status ?? null
  if (status !== null && status >= 200 && status < 300) return "delivered"
  const refused = status !== null && status >= 400 && status < 500 && status !== 401
  if (refused && delivery.endpoint_id !== null) return "failed"
  return delivery.attempts.length > waitsOf(delivery).length ? "failed" : "pending"
}

/** If clocks differ, a lease excludes nobody, and its holder continues with the delivery. */
const goesOn = ({ clocksOff }: Model): number => (clocksOff > 0 ? MINUTE : 0)

const attempted: Rule<"delivery"> = ({ before, after }, model) => {
  const [was, now] = [before?.attempts.length ?? 0, after.attempts.length]
  if (before === undefined || now === was) return undefined
  const waits = waitsOf(after)
  if (now > waits.length + 1) return `was attempted ${now} times`
  const [last, previous] = [after.attempts.at(-1), after.attempts.at(-2)]
  if (last === undefined) return "has no attempt"
  // Another worker may have claimed it meanwhile and moved it on.
  const { clocksOff } = model
  const known = model.dueAt(before.id, last.at - clocksOff)
  const due = known ?? (clocksOff > 0 ? 0 : (before.due_at ?? Infinity))
  if (last.at < due - clocksOff) return "was attempted before its time"
  const isNext =
    previous !== undefined && model.changedAt(before.id) <= last.at - clocksOff - goesOn(model)
  const ended = isNext ? previous.at + previous.duration_ms : 0
  const wait = waits[now - 2] ?? 0
  if (last.at - ended < wait - 2 * clocksOff)
    return `was attempted ${last.at - ended} ms after it failed`
  const end = verdict(after)
  return after.status === end ? undefined : `is ${after.status} after ${last.status}, not ${end}`
}

const NAMED = ["webhook.delivery.", "refund."]

const byName = (type: string): boolean => NAMED.some((start) => type.startsWith(start))

/** Whether a registered endpoint with these `enabled_events` receives such an event. */
export const wanted = (enabled: ReadonlyArray<string>, type: string): boolean =>
  enabled.includes(type) || (enabled.includes("*") && !byName(type))

/** Returns the receivers of an event: the service's own endpoint, and endpoints that want it. */
const receiversOf = ({ account_id, service_id, type }: Event, model: Model) => {
  const service = model.services.get(service_id ?? "")
  const own = type.startsWith("payment_intent.") || type.startsWith("revocation.")
  const registered = [...model.receivers.endpoints.values()].filter(
    (endpoint) => endpoint.account_id === account_id && wanted(endpoint.enabled_events, type),
  )
  return [
    ...(own && service?.account_id === account_id ? [service.id] : []),
    ...registered.map(({ id }) => id),
  ].toSorted()
}

/** The longest that due work waits for a worker, if no worker and no store has failed. */
export const LATE = LONGEST_REST + 5 * MINUTE

/** Returns how late work was done; undefined if it was in time. */
const lateBy = (due: Timestamp, at: Timestamp, model: Model): number | undefined => {
  const since = Math.max(due, model.upsetUntil)
  const late = at - since - 2 * model.clocksOff
  return late > LATE ? late : undefined
}

/** Checks that attempts are made when they are due. */
const inTime: Rule<"delivery"> = ({ before, after }, model) => {
  const last = after.attempts.at(-1)
  const isMade = last !== undefined && after.attempts.length > (before?.attempts.length ?? 0)
  if (before === undefined || !isMade) return undefined
  const due = model.dueAt(before.id, last.at - model.clocksOff) ?? before.due_at
  const late = due === null ? undefined : lateBy(due, last.at, model)
  return late === undefined ? undefined : `was attempted ${late} ms after its time`
}

const dispatched: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "event" || write.op !== "replace") return undefined
  const { record } = write
  const made = commit.writes
    .flatMap((other) =>
      other.kind === "delivery" && other.record.event_id === record.id ? [other.record] : [],
    )
    .map(({ endpoint_id, service_id }) => endpoint_id ?? service_id ?? "")
    .toSorted()
  const due = receiversOf(record, model)
  return made.join() === due.join()
    ? undefined
    : `${record.type} goes to ${made.length} receivers and not to ${due.length}`
}

const ended: Rule<"rest"> = ({ intent, refunds }, model) => {
  const subjects = [intent.id, ...refunds.map(({ id }) => id)]
  const all = subjects.flatMap((subject) => model.deliveriesOf(subject))
  const open = all.find(({ status }) => !ENDED.includes(status))
  if (open !== undefined) return `still has delivery ${open.id} to be made`
  const own = all.filter((one) => one.service_id !== null && one.event_type.startsWith("payment"))
  return own.length === 1 ? undefined : `told its service ${own.length} times`
}

/** A process that paused before sending does not know what has been stored since. */
const afterSuccess: Rule<"sent"> = ({ at, event_id, held_up, url }, model) => {
  const again = model
    .deliveriesOf(model.subjectOf(event_id) ?? "")
    .some(
      (one) =>
        one.event_id === event_id &&
        one.url === url &&
        one.status === "delivered" &&
        model.changedAt(one.id) <= at - held_up - goesOn(model),
    )
  return again ? `sent ${event_id} to ${url} again` : undefined
}

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex")

const partsOf = (header: string, name: string): ReadonlyArray<string> =>
  header
    .split(",")
    .flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))

/** A clock may jump between the claim of a delivery, which checks it, and the signature. */
const signed: Rule<"sent"> = (sent, model) => {
  const { ahead, body, event_id, headers, url } = sent
  const at = sent.at - sent.held_up
  const header = headers["Webhook-Signature"] ?? ""
  const [t = ""] = partsOf(header, "t")
  const slack = 2 * SECOND + (ahead === undefined ? model.clocksOff : 0)
  if (Math.abs(Number(t) * SECOND - at - (ahead ?? 0)) > slack)
    return `was signed for the time ${t}`
  const off = Math.max(model.clocksOff, Math.abs(ahead ?? 0))
  const owner = model.receivers.at(url)?.id ?? model.accountOf(event_id) ?? ""
  const { may, must } = model.receivers.signing(owner, at, off)
  const there = partsOf(header, "v1")
  const right = (secret: string) => hmac(secret, `${t}.${body}`)
  const known = new Map(may.map((secret) => [right(secret), secret]))
  if (there.length === 0) return "was not signed"
  if (!there.every((signature) => known.has(signature))) return "was signed with a dead secret"
  const used = new Set(there.map((signature) => known.get(signature)))
  return must.every((secret) => used.has(secret))
    ? undefined
    : "was not signed with every secret in force"
}

/** Checks that nothing is sent to an unregistered address, whatever a receiver answers. */
const goesAstray: Rule<"sent"> = ({ url }, model) => {
  if (model.receivers.at(url) !== undefined) return undefined
  for (const { endpoint } of model.services.values()) if (endpoint === url) return undefined
  return `went to ${url}, which nobody has registered`
}

const ENVELOPE = "ciphertext,encrypted,hmac_key_id,key_fingerprint"

/** Checks that no body is sent in plain text once the endpoint or its account has a key. */
const hidden: Rule<"sent"> = (sent, model) => {
  const { body, headers, url } = sent
  const at = sent.at - sent.held_up
  const endpoint = model.receivers.at(url)
  if (endpoint === undefined) return undefined
  const envelope = JSON.parse(body) as { readonly [field: string]: unknown }
  const own = model.receivers.hiding(endpoint.id, at)
  const account = model.receivers.hiding(endpoint.account_id, at)
  const isSealed = envelope["encrypted"] === true
  const marked = partsOf(headers["Webhook-Signature"] ?? "", "enc").length === 1
  if (marked !== isSealed) return "does not say in its signature how its body is"
  if (!isSealed) {
    return own.must.length + account.must.length === 0
      ? undefined
      : "left in plain text although there is a key"
  }
  if (Object.keys(envelope).toSorted().join() !== ENVELOPE) return "shows more than its ciphertext"
  const key = String(envelope["hmac_key_id"])
  return [...own.may, ...account.may].includes(key) ? undefined : `is sealed for ${key}, a dead key`
}

/** Checks that a body in plain text has the type and the data of its event. */
const saysEvent: Rule<"sent"> = ({ body, event_id }, model) => {
  const said = JSON.parse(body) as { readonly [field: string]: unknown }
  if (said["encrypted"] === true) return undefined
  const event = { type: model.typeOf(event_id), data: model.dataOf(event_id) }
  const differs = difference(event, { type: said["type"] ?? said["event"], data: said["data"] })
  return differs && `was sent ${event_id} with ${differs}`
}

const isReport = (type: string | undefined): boolean =>
  type?.startsWith("webhook.delivery.") ?? false

const ofItself: Rule<"write"> = ({ write }, model) => {
  if (write.kind !== "event" || write.op !== "insert" || !isReport(write.record.type)) {
    return undefined
  }
  const about = String(write.record.data["event_id"])
  return isReport(model.typeOf(about)) ? `tells of the delivery of ${about}` : undefined
}

/** The rules about webhook deliveries, their times and their protection. */
export const deliveryRules: Rulebook = {
  29: { write: dispatched, delivery: inTime, rest: ended },
  30: { delivery: attempted },
  31: { sent: afterSuccess },
  32: { sent: signed },
  33: { sent: hidden },
  34: { write: ofItself },
  80: { sent: goesAstray },
  121: { sent: saysEvent },
}
