import type { Channel } from "../../../core/channels/Channel.ts"
import { canonicalJson } from "../../../core/shared/Text.ts"
import { type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"
import {
  type LoggedEvent,
  type SeenAccount,
  type SeenBalance,
  type SeenDelivery,
  type SeenEndpoint,
  type SeenEntry,
  type SeenEvent,
  type SeenPayment,
  type SeenRefund,
  type SeenReport,
  timeOf,
} from "../../../simulator/blackbox/Seen.ts"
import type { KnownPayment, Witness } from "../../../simulator/blackbox/Witness.ts"
import { CannotPlay } from "./HttpConnection.ts"

interface Row {
  readonly id: string
  readonly created_at?: string
}

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly has_more: boolean
}

/** Reads a path; undefined if it is refused. */
type Get = (path: string) => Promise<unknown>

/** The rows of a list that were read, and whether these are all. */
interface Listed<A> {
  readonly rows: ReadonlyArray<A>
  readonly whole: boolean
}

const LIMIT = 100

/**
 * Reads a list page by page, the newest first, until its end, until `most` rows, or until rows
 * older than `since`, and checks its order.
 */
export const readList = async <A extends Row>(
  get: Get,
  witness: Witness,
  path: string,
  most = 20_000,
  since: Timestamp = 0,
): Promise<Listed<A>> => {
  const rows: Array<A> = []
  let whole = false
  for (let cursor: string | undefined; rows.length < most; cursor = rows.at(-1)?.id) {
    const after = cursor === undefined ? "" : `&starting_after=${cursor}`
    const mark = path.includes("?") ? "&" : "?"
    const page = (await get(`${path}${mark}limit=${LIMIT}${after}`)) as Page<A> | undefined
    if (page === undefined) break
    rows.push(...page.data)
    whole = !page.has_more
    const last = page.data.at(-1)
    if (whole || last === undefined || timeOf(last.created_at) < since) break
  }
  const [where = path] = path.split("?")
  witness.auditor.see("list", where, {
    where: `GET ${where}`,
    ids: rows.map(({ id }) => id),
  })
  return { rows, whole }
}

/** An account whose books, log and receivers are checked. */
interface Looked {
  readonly name: string
  readonly get: Get
  readonly services: ReadonlySet<string>
}

/** When the run began, and the service's current time. */
interface Period {
  readonly from: Timestamp
  readonly to: Timestamp
  /** Whether everything is at rest. */
  readonly rests: boolean
}

/** Ledger rows by payment. */
type Entries = ReadonlyMap<string | null, ReadonlyArray<SeenEntry>>

/** The records that an account can see. */
export interface Books {
  readonly account: SeenAccount
  readonly entries: Entries
  /** From when on its ledger was read. */
  readonly since: Timestamp
  /** The refund rules of the service's channels, which may be others than ours. */
  readonly rules: ReadonlyMap<string | null, Channel["refunds"]>
}

/** The channels of the service. */
interface ListedChannels {
  readonly data: ReadonlyArray<Pick<Channel, "refunds"> & { readonly channel: string }>
}

/** Reads a path without which nothing can be judged. */
const must = async <A>(name: string, get: Get, path: string): Promise<A> => {
  const found = await get(path)
  if (found !== undefined) return found as A
  throw new CannotPlay(`GET ${path} does not show ${name} what it has to; see what it answers.`)
}

/** Reads an account's books, log and receivers, and checks them. */
export const lookAt = async (
  witness: Witness,
  { get, name, services }: Looked,
  { from, rests, to }: Period,
): Promise<Books> => {
  const events = await readList<SeenEvent>(get, witness, "/v1/events", undefined, from)
  const endpoints = await readList<SeenEndpoint>(get, witness, "/v1/webhook-endpoints")
  const path = "/v1/webhook-deliveries"
  const deliveries = await readList<SeenDelivery>(get, witness, path, undefined, from)
  const balance = await must<SeenBalance>(name, get, "/v1/balance")
  const ledger = await readList<SeenEntry>(get, witness, "/v1/ledger/entries")
  const after = await must<SeenBalance>(name, get, "/v1/balance")
  const isStill = canonicalJson(balance.balances) === canonicalJson(after.balances)
  const days = `from=${utcDay(from)}&to=${utcDay(to)}`
  const account: SeenAccount = {
    account_id: name,
    // Earlier events cannot be judged by this run.
    events: events.rows.filter(({ created_at }) => timeOf(created_at) >= from),
    endpoints: endpoints.rows,
    deliveries: deliveries.rows.filter(({ created_at }) => timeOf(created_at) >= from),
    services,
    balance,
    // While money moves, rows and sums are from different moments.
    entries: ledger.whole && isStill ? ledger.rows : undefined,
    report: await must<SeenReport>(name, get, `/v1/reports/reconciliation?${days}`),
    rests,
    at: to,
  }
  // Sums of partly read books say nothing about the account.
  const oldest = ledger.rows.at(-1)?.created_at
  const inPart = ledger.rows.filter(({ created_at }) => created_at !== oldest)
  witness.ledger(ledger.whole ? ledger.rows : inPart, ledger.whole ? name : `${name} in part`)
  witness.account(account)
  const byPayment = Map.groupBy(ledger.rows, (row) => row.payment_intent)
  const listed = (await get("/v1/channels")) as ListedChannels | undefined
  const rules = new Map(listed?.data.map(({ channel, refunds }) => [channel, refunds]))
  return { account, entries: byPayment, since: ledger.whole ? 0 : timeOf(oldest), rules }
}

const purchaseOf = ({ flow, parties }: KnownPayment, seen: SeenPayment): string | undefined =>
  flow === "one_time_pay"
    ? canonicalJson([seen.service_id, parties.payer_account_id, seen.metadata])
    : undefined

/** A payment at rest, as its payee sees it, with its refunds. */
interface Rested {
  readonly known: KnownPayment
  readonly seen: SeenPayment
  readonly refunds: ReadonlyArray<SeenRefund>
}

const aboutPayment = (
  { refunds, seen }: Rested,
  events: ReadonlyArray<LoggedEvent>,
): ReadonlyArray<LoggedEvent> => {
  const ids = new Set([seen.id, ...refunds.map(({ id }) => id)])
  return events.filter(
    ({ data }) => ids.has(String(data["id"])) || ids.has(String(data["refund_id"])),
  )
}

/** Reads every payment that was made, as its payee sees it, and checks it. */
export const judgePayments = async (
  witness: Witness,
  books: ReadonlyMap<string, Books>,
  getOf: (account: string) => Get,
): Promise<ReadonlyArray<SeenPayment>> => {
  const events = [...books.values()].flatMap(({ account }) =>
    account.events.map((event) => ({ ...event, account_id: account.account_id })),
  )
  const all: Array<Rested> = []
  for (const [id, known] of witness.payments) {
    const get = getOf(known.parties.payee_account_id)
    const seen = (await get(`/v1/payment-intents/${id}`)) as SeenPayment | undefined
    const path = `/v1/refunds?payment_intent=${id}`
    const { rows } = await readList<SeenRefund>(get, witness, path)
    if (seen !== undefined) all.push({ known, seen, refunds: rows })
    // Its creator was told that it exists.
    else witness.gone(id)
  }
  const purchases = Map.groupBy(all, ({ known, seen }) => purchaseOf(known, seen))
  for (const rested of all) {
    const { known, refunds, seen } = rested
    const purchase = purchaseOf(known, seen)
    const same = purchase === undefined ? [] : (purchases.get(purchase) ?? [])
    const own = books.get(known.parties.payee_account_id)
    const samePurchase = same.flatMap((other) => (other === rested ? [] : [other.seen]))
    witness.resting({
      seen,
      parties: known.parties,
      acknowledged: known.acknowledged,
      refunds,
      revokes: known.revokes,
      events: aboutPayment(rested, events),
      entries: own?.entries.get(seen.id) ?? [],
      refund_rules: own?.rules.get(seen.channel),
      paid: known.paid,
      done: known.done,
      samePurchase,
      eventsOfThose: samePurchase.length === 0 ? [] : events,
    })
  }
  return all.map(({ seen }) => seen)
}
