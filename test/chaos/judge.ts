import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../bench/service.ts"
import { type Accounts, atRest, disagreements, dueAt } from "../support/atRest.ts"
import { explain } from "../support/commandLine.ts"
import { type Answer, isTemporary, type Request, said, send } from "./client.ts"
import {
  captureOf,
  creation,
  digestOf,
  FIXED,
  idOf,
  isUnanswered,
  keep,
  type Kept,
  type Order,
  refundOf,
  type Told,
  toldBy,
} from "./orders.ts"
import type { Books } from "./Books.ts"
import type { Receiver } from "./receiver.ts"
import { advance } from "./shop.ts"

/** Everything comes to rest within this, in milliseconds, or something hangs. */
const REST = 300_000
const REST_EACH = 20

const PROGRESS = ["pending", "qr_generated", "scanning", "authorized", "captured", "succeeded"]
const REFUND_PROGRESS = ["pending", "succeeded"]

/** Queries that find rows only if something was lost or doubled. */
const QUESTIONS: { readonly [what: string]: string } = {
  "the ledger does not sum to zero": `SELECT currency, sum(amount) AS sum FROM postings
    GROUP BY 1 HAVING sum(amount) <> 0`,
  "a journal does not sum to zero": `SELECT journal, currency FROM postings
    GROUP BY 1, 2 HAVING sum(amount) <> 0`,
  "the ledger's days do not sum up its postings": `SELECT account_id, currency, ledger_account
    FROM (SELECT account_id, currency, ledger_account, amount FROM postings UNION ALL
      SELECT account_id, currency, ledger_account, -amount FROM ledger_totals) AS both_books
    GROUP BY 1, 2, 3 HAVING sum(amount) <> 0`,
  "money was entered twice": `SELECT payment_intent, kind FROM postings WHERE refund IS NULL
    AND kind IN ('captured', 'settled', 'fees') GROUP BY 1, 2 HAVING count(DISTINCT journal) > 1`,
  "a refund was entered twice": `SELECT refund, kind FROM postings WHERE refund IS NOT NULL
    GROUP BY 1, 2 HAVING count(DISTINCT journal) > 1`,
  "a payment succeeded and the ledger has nothing of it": `SELECT id FROM payment_intents i
    WHERE status = 'succeeded' AND NOT EXISTS
      (SELECT FROM postings p WHERE p.payment_intent = i.id AND p.kind = 'captured')`,
  "more was given back than was paid": `SELECT id FROM payment_intents
    WHERE refunded_value > amount_value`,
  "a payment and its refunds differ": `SELECT id FROM payment_intents i WHERE refunded_value <>
    (SELECT coalesce(sum(amount_value), 0) FROM refunds r
      WHERE r.payment_intent = i.id AND r.status <> 'failed')`,
  "an event is there twice": `SELECT subject_id, type, account_id FROM events
    WHERE type LIKE 'payment_intent.%' OR type LIKE 'refund.%'
    GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  "a refund ended and nobody is told": `SELECT id FROM refunds r WHERE status <> 'pending'
    AND NOT EXISTS (SELECT FROM events e
      WHERE e.subject_id = 'ref_' || r.id AND e.type = 'refund.' || r.status)`,
  "one capture was asked for under two numbers": `SELECT payment_intent FROM channel_requests
    WHERE action = 'capture' AND status = 'done' GROUP BY 1 HAVING count(*) > 1`,
}

/** Runs the queries and describes the rows found. */
export const flaws = async (server: Books): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [what, sql] of Object.entries(QUESTIONS)) {
    const rows = await server.ask(sql)
    found.push(...rows.map((row) => `${what}: ${JSON.stringify(row)}`))
  }
  return found
}

const get = (service: Service, path: string): Promise<Answer> =>
  insist(service, { method: "GET", path })

/** Repeats a request until its answer is no longer "retry later", for at most a minute. */
const insist = async (service: Service, request: Request): Promise<Answer> => {
  for (let tries = 0; ; tries++) {
    const answer = await send(service, "seller", request)
    if (!isTemporary(answer) || tries === 600) return answer
    await sleep(100)
  }
}

const behind = (stages: ReadonlyArray<string>, told: unknown, now: unknown): boolean =>
  stages.indexOf(String(now)) < stages.indexOf(String(told))

/**
 * Whether a payment has expired correctly: it was not asked to be captured, and its time is over.
 * Any other expired payment was lost.
 */
const isOver = ({ captureAsked }: Order, told: Told, status: unknown, now: number): boolean =>
  status === "expired" && !captureAsked && Date.parse(String(told["expires_at"])) <= now

const lostOf = async (service: Service, one: Order, ahead: number): Promise<Array<string>> => {
  const { refunded, told } = one
  if (told === undefined) return []
  const path = `/v1/payment-intents/${String(told["id"])}`
  const now = await get(service, path)
  if (now.status !== 200) {
    return [`${path} was ${String(told["status"])}, and asking for it is answered ${said(now)}`]
  }
  const { body } = now
  const changed = FIXED.filter(
    (field) => JSON.stringify(body[field]) !== JSON.stringify(told[field]),
  ).map((field) => `${path} had another ${field}: ${JSON.stringify([told[field], body[field]])}`)
  const status = body["status"]
  const isEnd = isOver(one, told, status, Date.now() + ahead)
  if (behind(PROGRESS, told["status"], status) && !isEnd) {
    changed.push(`${path} was ${String(told["status"])} and is ${String(status)}`)
  }
  if (refunded === undefined) return changed
  const own = `/v1/refunds/${refunded.id}`
  const again = (await get(service, own)).body["status"]
  if (again === undefined || behind(REFUND_PROGRESS, refunded.status, again)) {
    changed.push(`${own} was ${refunded.status} and is ${String(again)}`)
  }
  return changed
}

/**
 * The largest number of orders that are checked over HTTP. All others are only checked in the
 * books.
 */
const ASKED_FOR = 4_000

/** Some of the orders, as far from one another as they can be, with all that lack an answer. */
const spread = (orders: ReadonlyArray<Order>, most = ASKED_FOR): ReadonlyArray<Order> => {
  const each = Math.ceil(orders.length / most)
  return orders.filter((one, n) => n % each === 0 || isUnanswered(one))
}

/** Checks each order, eight at a time, and returns all findings. */
const ofEach = async (
  orders: ReadonlyArray<Order>,
  look: (one: Order) => Promise<ReadonlyArray<string>>,
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (let at = 0; at < orders.length; at += 8) {
    found.push(...(await Promise.all(orders.slice(at, at + 8).map(look))).flat())
  }
  return found
}

/**
 * Reads back every acknowledged change; a missing or older state is a loss. The service's clock is
 * `ahead` milliseconds ahead of this process's.
 */
export const lost = (
  service: Service,
  orders: ReadonlyArray<Order>,
  ahead = 0,
  most: number = ASKED_FOR,
): Promise<ReadonlyArray<string>> =>
  ofEach(spread(orders, most), (one) => lostOf(service, one, ahead))

/** Asks once more, under the same keys, for all that was ever asked. */
const askAgain = async (service: Service, shop: string, one: Order): Promise<Array<string>> => {
  const wrong: Array<string> = []
  const once = async (request: Request, before: Kept | undefined, status: number) => {
    const again = await insist(service, request)
    const isSame = before === undefined || digestOf(again) === before.digest
    if (again.status !== status || !isSame) {
      wrong.push(`${request.path} asked again was answered ${said(again)}: ${again.text}`)
    }
    return again
  }
  const created = await once(creation(one, shop), one.created, 201)
  one.created = keep(created)
  one.told ??= toldBy(created)
  if (!one.captureAsked) return wrong
  const captured = await once(captureOf(one), undefined, 200)
  one.captured = true
  // The answer to the capture may be older than a later answer.
  if (!behind(PROGRESS, one.told["status"], captured.body["status"])) one.told = toldBy(captured)
  if (one.refundAsked) one.refunded = keep(await once(refundOf(one), one.refunded, 201))
  return wrong
}

/**
 * Repeats all unanswered requests under the same keys until they are answered. A payment can only
 * wait a quarter of an hour for its capture.
 */
export const settle = (
  { service, shop }: Pick<Trial, "service" | "shop">,
  orders: ReadonlyArray<Order>,
): Promise<ReadonlyArray<string>> =>
  ofEach(orders.filter(isUnanswered), (one) => askAgain(service, shop, one))

/** Returns every payment once nothing is due, or a message if the time is over. */
const rest = async (server: Books, within: number): Promise<ReadonlyArray<Accounts> | string> => {
  const limit = new AbortController()
  const late = sleep(within, undefined, { signal: limit.signal })
    .then(() => dueAt(server.connection))
    .then((due) => `nothing came to rest in ${within / 1_000} s: ${due} wait`)
  try {
    return await Promise.race([atRest(server.connection), late])
  } catch (error) {
    return `whether all is at rest cannot be read: ${explain(error)}`
  } finally {
    limit.abort()
  }
}

const TOLD: { readonly [status: string]: string } = {
  succeeded: "payment_intent.succeeded",
  expired: "payment_intent.expired",
}

interface Trial {
  readonly service: Service
  readonly server: Books
  readonly shop: string
  readonly receiver: Receiver
}

/**
 * Brings everything to its end and describes what was lost, doubled or missing. Every requested
 * payment has to exist once, in its acknowledged state, in the channel's books, in the ledger,
 * among the events and at the receiver.
 */
export const judge = async (
  { receiver, server, service, shop }: Trial,
  orders: ReadonlyArray<Order>,
  /** The largest number of orders checked over HTTP. */
  most: number = ASKED_FOR,
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  // After this time, every holder of a key counts as dead, and every channel has been asked again.
  const ahead = await advance(service, 120, orders.length)
  // This check comes before any repeated request, since a repetition would restore what was lost.
  found.push(...(await lost(service, orders, ahead, most)))
  found.push(...(await ofEach(spread(orders, most), (one) => askAgain(service, shop, one))))
  found.push(...(await lost(service, orders, ahead, most)))
  await advance(service, 1_000, orders.length)
  const all = await rest(server, Math.max(REST, REST_EACH * orders.length))
  if (typeof all === "string") return [...found, all]
  if (all.length !== orders.length) {
    found.push(`${orders.length} payments were asked for, and ${all.length} are there`)
  }
  found.push(...all.flatMap(disagreements))
  const endings = new Map(all.map((accounts) => [accounts.id, accounts]))
  for (const one of orders) {
    const wanted = one.captureAsked ? "succeeded" : "expired"
    const { refunds = 0, status } = endings.get(idOf(one)) ?? {}
    if (status !== wanted) found.push(`${idOf(one)} should be ${wanted} and is ${status}`)
    if (refunds !== (one.refundAsked ? 1 : 0)) {
      found.push(`${idOf(one)} was given back ${refunds} times, asked for: ${one.refundAsked}`)
    }
    if (!receiver.received.has(`${idOf(one)} ${TOLD[wanted]}`)) {
      found.push(`${idOf(one)} is ${wanted}, of which its seller was not told`)
    }
  }
  return [...found, ...(await flaws(server))]
}
