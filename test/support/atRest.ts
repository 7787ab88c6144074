import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import { UNPAID_ENDINGS } from "../../core/payments/PaymentIntent.ts"
import { askDatabase } from "./askDatabase.ts"

/** The channel's own books about one payment. */
export interface ChannelBook {
  readonly state: string
  readonly refunded: number
  readonly effects: {
    readonly [number: string]: { readonly action: string; readonly refused: string | null }
  }
}

/** One payment as everybody's books have it. */
export interface Accounts {
  readonly id: string
  readonly status: string
  readonly book: ChannelBook | null
  /** Its events in the log of one account of those who take part. */
  readonly events: ReadonlyArray<{ readonly account: string; readonly type: string }>
  /** Requests to its channel with an unknown outcome. */
  readonly open_requests: number
  readonly discrepancies: number
  /** The number and the sum of refunds by the service's records, in minor units. */
  readonly refunds: number
  readonly refunded: number
  /** The number of accounts that got events about it: its creator and its payee. */
  readonly told: number
}

type Row = Omit<Accounts, "book" | "events"> & {
  readonly book: string | null
  readonly events: string
}

const ACCOUNTS = `SELECT 'pi_' || i.id AS id, i.status,
    (SELECT d.body::text FROM documents d WHERE d.scope = 'sandbox_charge'
      AND d.id = coalesce(i.channel, i.offers -> 0 ->> 'channel') || ':pi_' || i.id) AS book,
    (SELECT coalesce(json_agg(json_build_object('account', e.account_id, 'type', e.type)), '[]')
      FROM events e WHERE e.subject_id = 'pi_' || i.id)::text AS events,
    (SELECT count(*) FROM channel_requests r WHERE r.payment_intent = i.id
      AND r.status IN ('outstanding', 'unknown'))::int AS open_requests,
    (SELECT count(*) FROM discrepancies x WHERE x.payment_intent = i.id)::int AS discrepancies,
    (SELECT count(*) FROM refunds r WHERE r.payment_intent = i.id
      AND r.status = 'succeeded')::int AS refunds,
    i.refunded_value::int AS refunded,
    CASE WHEN i.account_id = i.payee_account_id THEN 1 ELSE 2 END AS told
  FROM payment_intents i`

/** States in which a payment only waits for its deletion. */
const LEAVING = UNPAID_ENDINGS.map((ending) => `'${ending}'`).join()

/** Every payment of the database. */
export const readAccounts = async (
  database: ConnectionSettings,
): Promise<ReadonlyArray<Accounts>> => {
  const rows = await askDatabase(database, ACCOUNTS)
  return rows.map((found) => {
    const row = found as unknown as Row
    return {
      ...row,
      book: row.book === null ? null : (JSON.parse(row.book) as ChannelBook),
      events: JSON.parse(row.events) as Accounts["events"],
    }
  })
}

/** Returns how often the channel did that for the payment. */
export const effectsOf = (book: ChannelBook | null, action: string): number =>
  Object.values(book?.effects ?? {}).filter(
    (effect) => effect.action === action && effect.refused === null,
  ).length

const TOLD_AS: { readonly [status: string]: string } = {
  succeeded: "payment_intent.succeeded",
  failed: "payment_intent.failed",
  expired: "payment_intent.expired",
  cancelled: "payment_intent.cancelled",
  voided: "payment_intent.cancelled",
}

const HELD_OR_TAKEN = new Set(["authorized", "captured", "settled"])

/** Returns the contradictions about a payment by QR code that should be in its final state. */
export const disagreements = (accounts: Accounts): ReadonlyArray<string> => {
  const { book, discrepancies, events, id, open_requests, refunded, refunds, status, told } =
    accounts
  const type = TOLD_AS[status]
  const accountsTold = new Set(events.map(({ account }) => account))
  const captures = effectsOf(book, "capture")
  const paid = book?.state === "settled" && captures === 1 && effectsOf(book, "release") === 0
  const unpaid = captures === 0 && !HELD_OR_TAKEN.has(book?.state ?? "open")
  const found: { readonly [what: string]: boolean } = {
    "it has not ended": type === undefined,
    "a call to its channel is open": open_requests > 0,
    "its channel and the service disagree in writing": discrepancies > 0,
    "one event of its end for each account is not what there is":
      events.length !== told ||
      accountsTold.size !== told ||
      events.some((event) => event.type !== type),
    "it succeeded, and the channel did not take the money once": status === "succeeded" && !paid,
    "it ended unpaid, and the channel took or holds the money": status !== "succeeded" && !unpaid,
    "its channel and the service differ in what was given back":
      (book?.refunded ?? 0) !== refunded || effectsOf(book, "refund") !== refunds,
  }
  return Object.entries(found)
    .filter(([, is]) => is)
    .map(([what]) => `${id} (${status}, at the channel ${book?.state ?? "nothing"}): ${what}`)
}

/** Due records of each kind. */
const DUE: { readonly [what: string]: string } = {
  events: "FROM events WHERE due_at IS NOT NULL",
  deliveries: "FROM deliveries WHERE due_at IS NOT NULL",
  channel_requests: "FROM channel_requests WHERE due_at IS NOT NULL",
  documents: "FROM documents WHERE due_at IS NOT NULL",
  payment_intents: `FROM payment_intents WHERE status IN ('capturing', 'captured')
    OR (due_at IS NOT NULL AND status NOT IN (${LEAVING}))`,
}

const HOW_MANY = Object.entries(DUE).map(([what, of]) => `(SELECT count(*) ${of})::int AS ${what}`)

/** Returns how many records of each kind are due, such as `2 events`; empty at rest. */
export const dueAt = async (database: ConnectionSettings): Promise<string> => {
  const [row = {}] = await askDatabase(database, `SELECT ${HOW_MANY.join()}`)
  const waiting = Object.entries(row).filter(([, count]) => count !== 0)
  return waiting.map(([what, count]) => `${String(count)} ${what}`).join(", ")
}

/** Waits until nothing falls due any more, and returns every payment. */
export const atRest = async (database: ConnectionSettings): Promise<ReadonlyArray<Accounts>> => {
  while ((await dueAt(database)) !== "") await new Promise((resolve) => setTimeout(resolve, 100))
  return readAccounts(database)
}
