import { canonicalJson } from "../../../core/shared/Text.ts"
import { goesToService } from "../../../core/webhooks/events/Event.ts"
import type { Finding, Rule } from "../../auditor/Observation.ts"
import { difference } from "../../auditor/saysTheSame.ts"
import { LATE, wanted, waitsOf } from "../../auditor/invariants/deliveries.ts"
import {
  type Arrival,
  flowOf,
  type LoggedEvent,
  type RestingPayment,
  type SeenAccount,
  type SeenEvent,
  type SeenRefund,
  timeOf,
} from "../Seen.ts"
import { isTerminal } from "../../auditor/invariants/lifecycle.ts"
import { FINAL_EVENT } from "../../auditor/invariants/messages.ts"
import { wantedScopes } from "../../auditor/invariants/revocations.ts"

const partiesOf = ({ parties }: RestingPayment): ReadonlyArray<string> => [
  ...new Set([parties.payee_account_id, parties.account_id]),
]

const namesOf = (events: ReadonlyArray<LoggedEvent>): string =>
  events.map(({ type }) => type).join(", ") || "nothing"

const ofPayment = ({ events, seen }: RestingPayment): ReadonlyArray<LoggedEvent> =>
  events.filter(({ data, type }) => type.startsWith("payment_intent.") && data["id"] === seen.id)

/** Checks that each party receives the end once, with the event of the final state. */
export const toldOnce = (resting: RestingPayment): Finding => {
  const { refunds, seen } = resting
  const events = ofPayment(resting)
  const ended = isTerminal(flowOf(seen), seen.status)
  for (const account of partiesOf(resting)) {
    const told = events.filter(({ account_id }) => account_id === account)
    const right = told.every(
      ({ data, type }) =>
        type === FINAL_EVENT[seen.status] &&
        canonicalJson(data["amount"] ?? null) === canonicalJson(seen.amount),
    )
    if (!right || told.length !== (ended ? 1 : 0)) {
      return `is ${seen.status}, and its log tells ${namesOf(told)}`
    }
    const silent = refunds.find(
      ({ id, status }) =>
        resting.events.filter(
          (event) =>
            event.account_id === account &&
            event.data["id"] === id &&
            event.type === `refund.${status}`,
        ).length !== (status === "pending" ? 0 : 1),
    )
    if (silent !== undefined)
      return `has ${silent.id} ${silent.status}, and its log tells otherwise`
  }
  return undefined
}

/** Checks that a payment has only one kind of terminal event. */
export const oneKind = (resting: RestingPayment): Finding => {
  const types = new Set(ofPayment(resting).map(({ type }) => type))
  return types.size > 1 ? `told both ${[...types].join(" and ")}` : undefined
}

/** Checks that an ended refund has ended all of its revocations. */
export const revoked: Rule<"resting"> = ({ refunds }) => {
  const open = refunds.find(
    ({ revocations, status }) =>
      status === "succeeded" && revocations.some((one) => one.status === "pending"),
  )
  return open === undefined ? undefined : `rests with ${open.id} that has not revoked all it should`
}

/** Checks that a refund revokes its share of the payment, unless it names another scope. */
export const scoped: Rule<"resting"> = ({ refunds, revokes, seen }) => {
  for (const { amount, id, revocations, status } of refunds) {
    const wants = wantedScopes(
      { amount, revoke: revokes.get(id) ?? null },
      (seen.captured_amount ?? seen.amount).value,
    )
    if (wants === undefined || status === "failed") continue
    const scopes = revocations.map(({ scope }) => scope)
    if (scopes.toSorted().join() !== wants.toSorted().join()) {
      return `has ${id} revoke ${scopes.join()}, and not ${wants.join()}`
    }
  }
  return undefined
}

const countOf = ({ revocations }: SeenRefund, failed: boolean): number =>
  revocations.filter(({ status }) => (status === "failed") === failed).length

/** Checks that the end of a refund's revocations is reported once to each receiver, with counts. */
export const batchTold = (resting: RestingPayment): Finding => {
  for (const refund of resting.refunds) {
    const batches = resting.events.filter(
      ({ data, type }) => type === "revocation.batch.completed" && data["refund_id"] === refund.id,
    )
    const due = refund.status === "succeeded" && refund.revocations.length > 0 ? 1 : 0
    for (const account of partiesOf(resting)) {
      const told = batches.filter(({ account_id }) => account_id === account)
      if (told.length !== due) return `has ${refund.id}, whose end was told ${told.length} times`
      const right = told.every(
        ({ data }) =>
          data["total_targets"] === refund.revocations.length &&
          data["failed"] === countOf(refund, true) &&
          data["revoked"] === countOf(refund, false),
      )
      if (!right) return `has ${refund.id}, whose end was told with other numbers than its own`
    }
  }
  return undefined
}

/** Checks that every event has a delivery to each receiver that wants it, and that these end. */
export const delivered = (seen: SeenAccount): Finding => {
  const { deliveries, endpoints, events, rests, services } = seen
  if (!rests) return undefined
  const open = deliveries.find(({ status }) => status === "pending" || status === "delivering")
  if (open !== undefined) return `still has ${open.id} to be made`
  const made = Map.groupBy(deliveries, ({ event_id }) => event_id)
  for (const event of events) {
    const due = endpoints
      .filter((one) => timeOf(one.created_at) < timeOf(event.created_at))
      .filter((one) => wanted(one.enabled_events, event.type))
      .map(({ id }) => id)
    const { service_id, type } = event
    const own = service_id !== null && services.has(service_id)
    const isOwn = own && goesToService(type as Parameters<typeof goesToService>[0])
    const there = new Set(
      (made.get(event.id) ?? []).map(({ endpoint_id, service_id: id }) => endpoint_id ?? id ?? ""),
    )
    const missing = [...due, ...(isOwn ? [service_id] : [])].find((id) => !there.has(id))
    if (missing !== undefined) return `has ${type} ${event.id} never told to ${missing}`
  }
  return undefined
}

const isReport = (type: string | undefined): boolean =>
  type?.startsWith("webhook.delivery.") ?? false

/** Checks that attempts are made when due: at once, and then by their schedule. */
export const attemptedInTime = ({ deliveries, rests }: SeenAccount): Finding => {
  if (!rests) return undefined
  for (const { attempts, created_at, id, replay_of, ...delivery } of deliveries) {
    const waits = waitsOf(delivery)
    for (const [n, attempt] of attempts.entries()) {
      const before = attempts[n - 1]
      const ended = before === undefined ? timeOf(created_at) : timeOf(before.at)
      const due = ended + (before?.duration_ms ?? 0) + (n === 0 ? 0 : (waits[n - 1] ?? 0))
      const late = timeOf(attempt.at) - due
      if (replay_of === null && late > LATE) return `attempted ${id} ${late} ms after its time`
    }
  }
  return undefined
}

/** Checks that no delivery event reports the delivery of another delivery event. */
export const ofNoOther: Rule<"account"> = ({ events }) => {
  const types = new Map(events.map(({ id, type }) => [id, type]))
  const wrong = events.find(
    ({ data, type }) => isReport(type) && isReport(types.get(String(data["event_id"]))),
  )
  return wrong === undefined ? undefined : `has ${wrong.id}, which tells of its like`
}

/** Checks that no text that people submit is shown. */
export const untold =
  (secrets: ReadonlySet<string>) =>
  ({ events }: SeenAccount): Finding => {
    const text = JSON.stringify(events)
    const told = [...secrets].find((secret) => text.includes(secret))
    return told === undefined ? undefined : `has a log that tells ${told}`
  }

/** Checks that an arrival has the content of the log. */
export const saysTheSame: Rule<"logged"> = ({ arrival, event }) => {
  if (arrival.type === undefined) return undefined
  if (event === undefined) return `was told ${arrival.type}, which is not in the log`
  const inLog = { type: event.type, data: event.data }
  const differs = difference(inLog, { type: arrival.type, data: arrival.data ?? null })
  return differs === undefined ? undefined : `arrived other than the log has it, with ${differs}`
}

/** Checks that a body is encrypted if there is a key for it. */
export const hidden = ({ event_id, has_key, sealed }: Arrival): Finding => {
  if (has_key === sealed) return undefined
  const how = sealed ? "sealed without a key" : "in plain text although it has a key"
  return `was sent ${event_id} ${how}`
}

/** Checks that a list shows the largest ids first, and none twice. Ids grow with time. */
export const inOrder: Rule<"list"> = ({ ids, where }) => {
  const at = ids.findIndex((id, n) => n > 0 && id >= (ids[n - 1] ?? ""))
  return at === -1 ? undefined : `${where} shows ${ids[at]} behind ${ids[at - 1]}`
}

/** Returns an event of the log by its id. */
export const byId = (events: ReadonlyArray<SeenEvent>): ReadonlyMap<string, SeenEvent> =>
  new Map(events.map((event) => [event.id, event]))
