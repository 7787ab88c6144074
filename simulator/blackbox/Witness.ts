import type { Posting } from "../../core/ledger/Posting.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Refund } from "../../core/refunds/Refund.ts"
import type { AccessItem } from "../../core/revocations/AccessItem.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import { Auditor } from "../auditor/Auditor.ts"
import {
  type Parties,
  recordOf,
  type RestingPayment,
  type SeenAccount,
  type SeenDelivery,
  type SeenEntry,
  type SeenPayment,
  type SeenRefund,
  timeOf,
} from "./Seen.ts"
import { type Judged, outsideInvariants } from "./outsideInvariants.ts"

/** When a request was sent and answered, in milliseconds of a monotonic clock. */
export interface Span {
  readonly from: number
  readonly to: number
  /** The service's time of the request, or a little earlier, if known. */
  readonly asked_at?: Timestamp
}

/** A known payment. */
export interface KnownPayment {
  readonly parties: Parties
  readonly flow: PaymentIntent["flow"]
  readonly acknowledged: SeenPayment
  /** The states in answers, each different from those before. */
  readonly shown: Array<Span & { readonly seen: SeenPayment }>
  paid: boolean
  readonly done: Set<string>
  /** The targets that its refunds were asked to revoke, by refund id. */
  readonly revokes: Map<string, Refund["revoke"]>
}

/** From outside it is unknown by how much the service's clock is ahead. */
const WHENEVER = Number.MAX_SAFE_INTEGER

/** The start and the duration of an attempt are shown in whole milliseconds. */
const ROUNDED = 2

const NO_COMMIT = { writes: [] }

const postingOf = (entry: SeenEntry, account_id: string): Posting => ({
  id: entry.id,
  journal: entry.journal,
  kind: entry.kind,
  account_id,
  ledger_account: entry.account,
  channel: entry.channel,
  currency: entry.amount.currency,
  amount: entry.amount.value,
  payment_intent: entry.payment_intent,
  refund: entry.refund,
  created_at: timeOf(entry.created_at),
})

/** Returns a delivery as it was after a number of its attempts. */
const afterAttempts = (seen: SeenDelivery, made: number): Delivery => {
  const attempts = seen.attempts.slice(0, made).map(({ response: _, ...attempt }) => ({
    ...attempt,
    at: timeOf(attempt.at),
    duration_ms: Math.max(attempt.duration_ms - ROUNDED, 0),
  }))
  const isLast = made === seen.attempts.length
  const status = isLast && seen.status !== "skipped" ? seen.status : "pending"
  const record = {
    id: seen.id,
    endpoint_id: seen.endpoint_id,
    service_id: seen.service_id,
    status: status as Delivery["status"],
    attempts: attempts as Delivery["attempts"],
    due_at: 0,
  }
  return record as Delivery
}

/**
 * An observer from outside, who sees what the service shows its accounts. It passes answers,
 * webhooks and books to the auditor in the internal form, as far as known, and remembers which of
 * two answers is older.
 */
export class Witness {
  readonly auditor: Auditor
  readonly payments = new Map<string, KnownPayment>()

  constructor(now: () => Timestamp, judged: Judged = {}) {
    this.auditor = new Auditor(now, undefined, outsideInvariants(judged))
  }

  /** Adds a service for which payments may begin. */
  service(id: string): void {
    this.auditor.model.services.set(id, { status: "active" } as ServiceManifest)
  }

  /** Adds a payment that was just made, from the first answer about it. */
  made(seen: SeenPayment, parties: Parties, flow: PaymentIntent["flow"], span: Span): KnownPayment {
    const known = this.payments.get(seen.id)
    if (known !== undefined) return known
    const made: KnownPayment = {
      parties,
      flow,
      acknowledged: seen,
      shown: [],
      paid: false,
      done: new Set(),
      revokes: new Map(),
    }
    this.payments.set(seen.id, made)
    this.#judge(made, undefined, seen)
    made.shown.push({ ...span, seen })
    return made
  }

  /** Adds a payment from an answer that was made for this request alone. */
  shown(seen: SeenPayment, span: Span): void {
    const known = this.payments.get(seen.id)
    if (known === undefined) return
    // If two answers overlap, it is unknown which is older.
    const before = known.shown.findLast(({ to }) => to < span.from)?.seen
    this.#judge(known, before ?? known.acknowledged, seen)
    const { asked_at } = span
    this.auditor.see("shown", seen.id, { before, after: seen, flow: known.flow, asked_at })
    const place = known.shown.findLastIndex(({ to }) => to <= span.to) + 1
    known.shown.splice(place, 0, { ...span, seen })
  }

  /** Adds the answer to a request for a payment; no status if the payment was hidden. */
  read(account: string, id: string, status: string | undefined): void {
    this.auditor.see("read", id, { account, id, status, since: 0, askedAt: 0, at: WHENEVER })
  }

  /** Adds an access from an answer to its seller, with its revoked scopes. */
  access(
    item: Pick<AccessItem, "account_id" | "type" | "item_id" | "payment_intent" | "scopes">,
    revoked: ReadonlyArray<string>,
  ): void {
    const { model } = this.auditor
    const scopes = revoked.map((scope) => ({ scope, revoked_at: 0 }))
    model.step += 1
    model.access.store(
      { ...item, revoked: scopes as AccessItem["revoked"] } as AccessItem,
      model.step,
    )
  }

  /** Adds a delivery; its attempts are checked one after the other. */
  delivery(seen: SeenDelivery): void {
    if (seen.status === "delivering" || seen.error !== null) return
    for (let made = 1; made <= seen.attempts.length; made += 1) {
      this.auditor.see("delivery", seen.id, {
        before: afterAttempts(seen, made - 1),
        after: afterAttempts(seen, made),
        at: WHENEVER,
      })
    }
  }

  /** Adds rows of an account's ledger, in whole journals. */
  ledger(entries: ReadonlyArray<SeenEntry>, account_id: string): void {
    const { model } = this.auditor
    const journals = Map.groupBy(entries, ({ journal }) => journal)
    for (const [journal, rows] of journals) {
      const postings = rows.map((row) => postingOf(row, account_id))
      const commit = { ...NO_COMMIT, postings }
      const cause = { type: "nobody" } as const
      this.auditor.see("commit", journal, { commit, asked: undefined, cause, at: WHENEVER })
      for (const posting of postings) model.applyPosting(posting)
    }
  }

  /** Adds an account's books, log and receivers. */
  account(seen: SeenAccount): void {
    this.auditor.see("account", seen.account_id, seen)
    for (const delivery of seen.deliveries) this.delivery(delivery)
  }

  /** Adds a payment that was acknowledged, but that its payee does not see at the end. */
  gone(id: string): void {
    this.auditor.see("gone", id, { id })
  }

  /** Adds a payment at rest; the ledger has to be known. */
  resting(payment: RestingPayment): void {
    const { parties, refunds, seen } = payment
    this.auditor.see("resting", seen.id, payment)
    this.auditor.see("rest", seen.id, {
      intent: recordOf(seen, parties),
      stored: undefined,
      requests: [],
      refunds: refunds.map(settledRefund),
      deliveries: [],
    })
  }

  #judge({ flow, parties }: KnownPayment, before: SeenPayment | undefined, after: SeenPayment) {
    const record = recordOf(after, parties, flow)
    this.auditor.see("intent", after.id, {
      before: before && recordOf(before, parties, flow),
      after: record,
      commit: NO_COMMIT,
      at: WHENEVER,
      held_up: 0,
    })
    const op = before === undefined ? "insert" : "replace"
    this.auditor.model.applyWrite({ op, kind: "payment_intent", record }, 0)
  }
}

const settledRefund = (seen: SeenRefund): Refund =>
  ({
    id: seen.id,
    payment_intent: seen.payment_intent,
    amount: seen.amount,
    status: seen.status,
    settlement: seen.settlement ?? { ...seen.amount, value: 0 },
    service_fee: seen.service_fee ?? { ...seen.amount, value: 0 },
  }) as Refund
