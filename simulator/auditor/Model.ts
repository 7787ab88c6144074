// Written independently of the core on purpose: it adds up the stored commits in its own way, so
// that it does not repeat a mistake of the core.

import type { ChannelRequest } from "../../core/gateway/ChannelRequest.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import type { Commit, Write } from "../../core/ports/Store.ts"
import type { Refund } from "../../core/refunds/Refund.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { AccessItem } from "../../core/revocations/AccessItem.ts"
import type { Revocation } from "../../core/revocations/Revocation.ts"
import { canonicalJson } from "../../core/shared/Text.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Event } from "../../core/webhooks/events/Event.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import type { Entry } from "../channels/Entry.ts"
import { Access } from "./Access.ts"
import { Books, Posted } from "./Books.ts"
import { Receivers } from "./Receivers.ts"
import { type AnyKnowledge, type Knowledge, Memory } from "./Knowledge.ts"
import type { Observations } from "./Observation.ts"

/** The auditor's knowledge about one payment. */
export interface KnownIntent {
  record: PaymentIntent
  /** Every stored status, with the model's step and the time. */
  readonly history: Array<{
    readonly status: PaymentIntent["status"]
    readonly step: number
    readonly at: Timestamp
  }>
  /** The types of the events about it. */
  readonly told: Set<string>
}

interface GivenAnswer {
  readonly request: string
  readonly text: string
}

const NOTHING: ReadonlyArray<never> = []

/** The expected state of the world, derived only from observations. */
export class Model {
  step = 0
  readonly #memory: Memory

  /** The largest error of any process's clock, in milliseconds. */
  clocksOff = 0

  constructor(knowledge: ReadonlyArray<AnyKnowledge> = []) {
    this.#memory = new Memory(knowledge)
  }

  /** Returns the knowledge of a part of the world. */
  know<A>(kind: Knowledge<A>): A {
    return this.#memory.of(kind)
  }

  readonly intents = new Map<string, KnownIntent>()
  /** The payments that were removed. Their last state stays known. */
  readonly left = new Set<string>()
  readonly services = new Map<string, ServiceManifest>()
  readonly requests = new Map<string, ChannelRequest>()
  readonly deliveries = new Map<string, Delivery>()
  /** The version that each record has, by kind and id. */
  readonly versions = new Map<string, number>()
  readonly books = new Map<string, Books>()
  /** All rows of the ledger by their ids, and the ids of their journals. */
  readonly posted = new Map<string, Posting>()
  readonly journals = new Set<string>()
  /** The ledger's postings about channels' money. */
  readonly clearing: Array<Posting> = []
  readonly #postedOf = new Map<string, Posted>()
  readonly entriesOfRequest = new Map<string, number>()
  /** The payment on which a channel's trade number was seen. */
  readonly trades = new Map<string, string>()
  /** The names of channels' genuine messages that have changed something. */
  readonly actedBy = new Set<string>()
  readonly answers = new Map<string, GivenAnswer>()
  /** How many payments were made under each Idempotency-Key. */
  readonly madeUnderKey = new Map<string, number>()
  /** The One-Time payments of each purchase: of the same payer, service and metadata. */
  readonly purchases = new Map<string, Array<string>>()
  readonly refunds = new Map<string, Refund>()
  readonly #refundsOf = new Map<string, Array<string>>()
  readonly revocations = new Map<string, Revocation>()
  readonly items = new Map<string, AccessItem>()
  readonly access = new Access()
  /** The refunds whose batch event was emitted, each with the account. */
  readonly batchesTold = new Set<string>()
  readonly #revocationsOf = new Map<string, Array<string>>()
  readonly #requestsOf = new Map<string, Array<string>>()
  readonly #dues = new Map<string, Array<{ at: Timestamp; due_at: Timestamp | null }>>()
  readonly #deliveriesOf = new Map<string, Array<string>>()

  booksOf(id: string): Books {
    const books = this.books.get(id) ?? new Books()
    this.books.set(id, books)
    return books
  }

  /** Returns the postings about a payment, or in an account's books. */
  postedOf(id: string): Posted {
    const posted = this.#postedOf.get(id) ?? new Posted()
    this.#postedOf.set(id, posted)
    return posted
  }

  applyPosting(posting: Posting): void {
    this.posted.set(posting.id, posting)
    this.journals.add(posting.journal)
    if (posting.ledger_account === "channel_clearing") this.clearing.push(posting)
    this.postedOf(posting.account_id).add(posting)
    if (posting.payment_intent !== null) this.postedOf(posting.payment_intent).add(posting)
  }

  requestsOf(intentId: string): ReadonlyArray<ChannelRequest> {
    return (this.#requestsOf.get(intentId) ?? NOTHING).flatMap((id) => this.requests.get(id) ?? [])
  }

  /** Returns the refunds of a payment, as they are after the commit, if one is given. */
  refundsOf(intentId: string, commit?: Commit): ReadonlyArray<Refund> {
    const known = new Map(
      (this.#refundsOf.get(intentId) ?? NOTHING).map((id) => [id, this.refunds.get(id)]),
    )
    for (const { kind, record } of commit?.writes ?? []) {
      if (kind === "refund" && record.payment_intent === intentId) known.set(record.id, record)
    }
    return [...known.values()].filter((refund) => refund !== undefined)
  }

  /** Returns the revocations of a refund, also those that it has not carried out. */
  revocationsOf(refundId: string): ReadonlyArray<Revocation> {
    const ids = this.#revocationsOf.get(refundId) ?? NOTHING
    return ids.flatMap((id) => this.revocations.get(id) ?? [])
  }

  /** Returns the deliveries of events about a payment. */
  deliveriesOf(intentId: string): ReadonlyArray<Delivery> {
    const ids = this.#deliveriesOf.get(intentId) ?? NOTHING
    return ids.flatMap((id) => this.deliveries.get(id) ?? [])
  }

  /** Returns when a delivery was due, by what was stored at a time; undefined if unknown. */
  dueAt(deliveryId: string, at: Timestamp): Timestamp | undefined {
    return this.#dues.get(deliveryId)?.findLast((known) => known.at <= at)?.due_at ?? undefined
  }

  /** Returns when a delivery was stored last. */
  changedAt(deliveryId: string): Timestamp {
    return this.#dues.get(deliveryId)?.at(-1)?.at ?? 0
  }

  #upsetUntil: Timestamp = 0

  /** Until then actions may be missing in the records, since a process or the store failed. */
  get upsetUntil(): Timestamp {
    return this.#upsetUntil
  }

  /**
   * Returns when somebody was asked to carry out a revocation. If a process failed before it could
   * record its request, the request is repeated, and does not count.
   */
  triesOf(revocationId: string): ReadonlyArray<Timestamp> {
    const asked = this.access.askedFor(revocationId)
    const recorded = this.revocations.get(revocationId)?.attempts ?? 0
    const isUnsure = this.#upsetUntil >= (asked.at(-1) ?? Infinity)
    return isUnsure ? asked.slice(0, recorded) : asked
  }

  upset(until: Timestamp): void {
    this.#upsetUntil = Math.max(this.#upsetUntil, until)
  }

  readonly receivers = new Receivers()
  readonly #events = new Map<string, Pick<Event, "account_id" | "data" | "subject_id" | "type">>()

  subjectOf(eventId: string): string | undefined {
    return this.#events.get(eventId)?.subject_id
  }

  accountOf(eventId: string): string | undefined {
    return this.#events.get(eventId)?.account_id
  }

  typeOf(eventId: string): string | undefined {
    return this.#events.get(eventId)?.type
  }

  dataOf(eventId: string): Event["data"] | undefined {
    return this.#events.get(eventId)?.data
  }

  applyWrite(write: Write, at: Timestamp): void {
    this.step += 1
    this.#memory.learn(write, at)
    const { op, kind, record } = write
    const name = `${kind} ${record.id}`
    // A record that is inserted again after its removal starts with a new version.
    if (op === "remove") this.versions.delete(name)
    else this.versions.set(name, op === "insert" ? 1 : record.version + 1)
    switch (write.kind) {
      case "payment_intent":
        if (op === "remove") this.left.add(record.id)
        else this.#applyIntent(write.record, op === "insert", at)
        return
      case "service":
        this.services.set(record.id, write.record)
        return
      case "channel_request":
        if (op === "insert") append(this.#requestsOf, write.record.payment_intent, record.id)
        this.requests.set(record.id, write.record)
        return
      case "refund":
        if (op === "insert") append(this.#refundsOf, write.record.payment_intent, record.id)
        this.refunds.set(record.id, write.record)
        return
      case "access_item":
        this.items.set(record.id, write.record)
        this.access.store(write.record, this.step)
        return
      case "revocation":
        if (op === "insert") append(this.#revocationsOf, write.record.refund, record.id)
        if (op === "remove") this.revocations.delete(record.id)
        else this.revocations.set(record.id, write.record)
        return
      case "event": {
        const { account_id, subject_id, type } = write.record
        // What an event says is decided when it is made, whatever is stored later.
        const { data } = this.#events.get(record.id) ?? write.record
        this.#events.set(record.id, { account_id, data, subject_id, type })
        if (type === "revocation.batch.completed") {
          this.batchesTold.add(`${subject_id} ${account_id}`)
        }
        if (op === "insert") this.intents.get(subject_id)?.told.add(type)
        return
      }
      case "delivery": {
        const subject = this.subjectOf(write.record.event_id) ?? ""
        if (op === "insert") append(this.#deliveriesOf, subject, record.id)
        this.deliveries.set(record.id, write.record)
        append(this.#dues, record.id, { at, due_at: write.record.due_at })
        return
      }
      default:
        this.receivers.apply(write, at)
    }
  }

  #applyIntent(record: PaymentIntent, isNew: boolean, at: Timestamp): void {
    const known = this.intents.get(record.id) ?? { record, history: [], told: new Set<string>() }
    known.record = record
    known.history.push({ status: record.status, step: this.step, at })
    this.intents.set(record.id, known)
    if (record.trade_no !== null && record.channel !== null) {
      this.trades.set(`${record.channel} ${record.trade_no}`, record.id)
    }
    const purchase = purchaseOf(record)
    if (isNew && purchase !== undefined) append(this.purchases, purchase, record.id)
    const key = record.metadata?.["key"]
    if (isNew && typeof key === "string") {
      const name = `${record.account_id} ${key}`
      this.madeUnderKey.set(name, (this.madeUnderKey.get(name) ?? 0) + 1)
    }
  }

  applyEntry(entry: Entry): void {
    this.booksOf(entry.out_trade_no).enter(entry)
    const { number } = entry
    if (number !== null) {
      this.entriesOfRequest.set(number, (this.entriesOfRequest.get(number) ?? 0) + 1)
    }
  }

  applyAnswer({ account, key, request, text }: Observations["answer"]): void {
    const name = `${account} ${key}`
    if (text !== undefined && !this.answers.has(name)) this.answers.set(name, { request, text })
  }
}

/** Returns what a One-Time payment buys, which must not be bought twice; undefined if unknown. */
export const purchaseOf = (intent: PaymentIntent): string | undefined =>
  intent.flow === "one_time_pay" && Object.keys(intent.metadata ?? {}).length > 0
    ? canonicalJson([
        intent.service_id,
        intent.payer_account_id,
        intent.payer.agent_id,
        intent.metadata,
      ])
    : undefined

const append = <A>(lists: Map<string, Array<A>>, key: string, item: A): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
