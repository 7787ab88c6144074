// Written independently of core/hosted, core/payments and core/timeline on purpose: see Model.ts.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import type { HostedPayment } from "../../../core/hosted/HostedPayment.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { TimelineEntry } from "../../../core/timeline/TimelineView.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { isCaptured, isTerminal, type Stamps } from "./lifecycle.ts"
import { kept } from "./ownership.ts"
import { takenValue } from "./taken.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** The page of a payment, and the payment's version when it was asked for. */
    readonly page_shown: {
      readonly page: HostedPayment
      readonly version: number | undefined
      readonly asked: Timestamp
      readonly at: Timestamp
    }
    /** The history of a payment at rest, as one of its parties sees it. */
    readonly history_shown: {
      readonly account: string
      readonly id: string
      readonly data: ReadonlyArray<TimelineEntry>
      readonly complete: boolean
    }
    /** All pages of a list of payments at rest. */
    readonly payments_listed: {
      readonly account: string
      readonly query: {
        readonly status?: string
        readonly created_after?: string
        readonly created_before?: string
        readonly service_id?: string
      }
      readonly listed: ReadonlyArray<{ readonly id: string; readonly status: string }>
    }
  }
}

/** Returns a status as clients see it. */
const seenAs = (status: string): string =>
  status === "capturing" ? "authorized" : status === "debiting" ? "pending" : status

/** The codes that a payer can still use: of the chosen channel, or of all that are offered. */
const codesOf = (payment: PaymentIntent) => {
  const { channel } = payment
  if (payment.flow === "one_time_pay") {
    const label = find(defaultCatalog, channel ?? "")?.label
    return payment.deeplink === null ? [] : [{ channel, label, content: payment.deeplink }]
  }
  return payment.offers
    .filter((offer) => channel === null || offer.channel === channel)
    .map(({ channel: offered, label, qr_data }) => ({ channel: offered, label, content: qr_data }))
}

const isPart = (payment: PaymentIntent): boolean =>
  "captured_at" in payment && payment.captured_at !== undefined

/** Checks a page that shows the payment's stored state against that state. */
const asStored = (page: HostedPayment, payment: PaymentIntent, model: Model): Finding => {
  const { amount, description, expires_at, flow, id, return_url, status } = payment
  const ended = isTerminal(flow, status)
  const shown = isPart(payment) ? { ...amount, value: takenValue(payment) } : amount
  const back = model
    .refundsOf(id)
    .reduce((sum, refund) => sum + (refund.status === "failed" ? 0 : refund.amount.value), 0)
  const expected = {
    status: seenAs(status),
    ended,
    amount: shown,
    refunded: back === 0 ? null : { ...shown, value: back },
    description,
    codes: ended ? [] : codesOf(payment),
    failure_code: payment.status === "failed" ? payment.failure_code : null,
    return_url,
    expires_at,
  }
  const ignored = ["id", "version", "service", "payee", "left"]
  const differs = difference({ ...page, ...expected }, page, ignored)
  return differs === undefined ? undefined : `is shown with ${differs}`
}

/** Checks the names and the remaining time of a page. */
const namesOf = (
  { asked, at, page }: Observations["page_shown"],
  payment: PaymentIntent,
  model: Model,
): Finding => {
  const account = model.know(kept).get("account")?.get(payment.payee_account_id)
  if (account && "name" in account && page.payee !== account.name) {
    return `is shown as one to ${page.payee}`
  }
  const { clocksOff } = model
  const [least, most] = [at + clocksOff, asked - clocksOff].map((time) =>
    Math.max(0, page.ended ? 0 : payment.expires_at - time),
  )
  return page.left >= (least ?? 0) && page.left <= (most ?? 0)
    ? undefined
    : `is shown to last for another ${page.left} ms`
}

/**
 * Checks that a payment's page shows its stored state. One that has passed its expiry is shown as
 * expired before a worker has stored that, with the version that it will have.
 */
export const pageShows = (seen: Observations["page_shown"], model: Model): Finding => {
  const { asked, at, page, version } = seen
  const payment = model.intents.get(page.id)?.record
  // A page of a payment that changed meanwhile may show either state.
  const latest = model.versions.get(`payment_intent ${page.id}`)
  if (payment === undefined || version === undefined || latest !== version) return undefined
  const { expires_at, flow, status } = payment
  const mayExpire = !isTerminal(flow, status) && !isCaptured(status)
  if (page.version === version + 1) {
    const isOver = mayExpire && at + model.clocksOff >= expires_at
    const isShown = page.status === "expired" && page.ended && page.codes.length === 0
    return isOver && isShown ? undefined : `is shown as ${page.status}, and is ${status}`
  }
  if (page.version !== version) return `is shown in version ${page.version} of ${version}`
  if (mayExpire && asked - model.clocksOff >= expires_at) return "is shown after its expiry"
  return asStored(page, payment, model) ?? namesOf(seen, payment, model)
}

/** Returns the statuses in a payment's history, each with its time. */
const statesOf = (payment: PaymentIntent): ReadonlyArray<string> => {
  const stamps = payment as Stamps
  const states = [
    [payment.created_at, "pending"],
    [stamps.scanned_at, "scanning"],
    [stamps.authorized_at, "authorized"],
    [stamps.captured_at, "captured"],
    [stamps.succeeded_at ?? stamps.ended_at, payment.status],
  ] as const
  return states.flatMap(([at, status]) => (at === undefined ? [] : [`${toIso(at)} ${status}`]))
}

/** The most records of each kind in a history. */
const MOST = 200

const idOf = ({ id }: { readonly id: string }): string => id

/** Returns what a history has to name: by kind, the ids or texts of its records. */
const historyOf = (payment: PaymentIntent, account: string, model: Model) => {
  const { id } = payment
  const stored = model.know(kept)
  const recordsOf = (kind: "callback" | "delivery" | "event" | "refund_request") =>
    [...(stored.get(kind)?.values() ?? [])].flatMap((record) => record ?? [])
  // Old records are removed, and a history shows what is left.
  const isKept =
    (kind: "channel_request" | "refund" | "revocation") => (record: { readonly id: string }) =>
      stored.get(kind)?.get(record.id) !== null
  const isOf = (record: object, field: string, value: unknown): boolean =>
    Reflect.get(record, field) === value
  const isPayee = account === payment.payee_account_id
  const refunds = model.refundsOf(id).filter(isKept("refund"))
  const requests = model.requestsOf(id).filter(isKept("channel_request")).map(idOf)
  const asked = recordsOf("refund_request").filter((record) => isOf(record, "payment_intent", id))
  const subjects = new Set<unknown>([id, ...[...refunds, ...asked].map(idOf)])
  const events = recordsOf("event")
    .filter((record) => isOf(record, "account_id", account))
    .filter((record) => subjects.has(Reflect.get(record, "subject_id")))
    .map(idOf)
  const told = new Set<unknown>(events)
  const rows = [...model.posted.values()].filter(
    ({ account_id, payment_intent }) => account_id === account && payment_intent === id,
  )
  return {
    status: statesOf(payment),
    refund: refunds.map(idOf),
    channel_request: isPayee ? requests : [],
    callback: isPayee
      ? recordsOf("callback")
          .filter((record) => isOf(record, "payment_intent", id))
          .map(idOf)
      : [],
    journal: rows.map(idOf),
    revocation: refunds.flatMap((refund) =>
      model
        .revocationsOf(refund.id)
        .filter(isKept("revocation"))
        .map(({ scope, target_id }) => `${target_id} ${scope}`),
    ),
    event: events,
    delivery: recordsOf("delivery")
      .filter((record) => isOf(record, "account_id", account))
      .filter((record) => told.has(Reflect.get(record, "event_id")))
      .map(idOf),
  }
}

/** Returns the records that an entry of a history names. */
const namedBy = (entry: TimelineEntry): ReadonlyArray<string> => {
  switch (entry.type) {
    case "status":
      return [`${entry.at} ${entry.status}`]
    case "channel_request":
      return [entry.channel_request.id]
    case "callback":
      return [entry.callback.id]
    case "refund":
      return [entry.refund.id]
    case "journal":
      return entry.journal.map(({ id }) => id)
    case "revocation":
      return [`${entry.revocation.target_id} ${entry.revocation.scope}`]
    case "event":
      return [entry.event.id]
    case "delivery":
      return [entry.delivery.id]
  }
}

const inOrder = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.toSorted((a, b) => (a < b ? -1 : 1))

/** Checks that a history names every record of the payment that its reader may see, in order. */
export const historyShows = (
  { account, complete, data, id }: Observations["history_shown"],
  model: Model,
): Finding => {
  const payment = model.intents.get(id)?.record
  if (payment === undefined) return `has a history, and ${id} is unknown`
  const expected = historyOf(payment, account, model)
  if (Object.values(expected).some((records) => records.length > MOST)) {
    return complete ? "says that its history is complete" : undefined
  }
  if (!complete) return "says that its history is incomplete"
  for (const [type, records] of Object.entries(expected)) {
    const named = data.filter((entry) => entry.type === type).flatMap(namedBy)
    const differs = difference(inOrder(records), inOrder(named))
    if (differs !== undefined) return `has a history with another ${type}: ${differs}`
  }
  const late = data.findIndex(({ at }, n) => at < (data[n - 1]?.at ?? ""))
  return late === -1 ? undefined : `has a history out of order at its entry ${late}`
}

/** Checks that a list at rest has the payments that match, newest first, each in its state. */
export const listHas = (
  { account, listed, query }: Observations["payments_listed"],
  model: Model,
): Finding => {
  const { created_after, created_before, service_id, status } = query
  const expected = [...model.intents.values()]
    .map(({ record }) => record)
    .filter(({ id }) => !model.left.has(id))
    .filter((payment) =>
      [payment.account_id, payment.payee_account_id, payment.payer_account_id].includes(account),
    )
    .filter((payment) => service_id === undefined || payment.service_id === service_id)
    .filter((payment) => status === undefined || seenAs(payment.status) === status)
    .filter(({ created_at }) => created_after === undefined || toIso(created_at) >= created_after)
    .filter(({ created_at }) => created_before === undefined || toIso(created_at) < created_before)
    .map((payment) => ({ id: payment.id, status: seenAs(payment.status) }))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const differs = difference(expected, listed)
  return differs === undefined ? undefined : `lists its payments with ${differs}`
}
