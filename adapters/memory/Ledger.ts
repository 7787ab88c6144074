import type {
  Balance,
  Cleared,
  ClearingQuery,
  DayTotal,
  EntryQuery,
  TotalsQuery,
} from "../../core/ledger/LedgerQuery.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import { utcDay } from "../../core/shared/Timestamp.ts"
import { frozen } from "./frozen.ts"
import type { Family, Keeping, Kept } from "./Keeping.ts"

/** The books of an account since they were last closed. */
interface OpenBooks {
  readonly postings: Kept<Posting>
  readonly totals: Kept<DayTotal>
  readonly balances: Kept<Balance>
}

const answers = (posting: Posting, query: EntryQuery): boolean =>
  (query.starting_after === undefined || posting.id < query.starting_after) &&
  (query.payment_intent === undefined || posting.payment_intent === query.payment_intent) &&
  (query.ledger_account === undefined || posting.ledger_account === query.ledger_account) &&
  (query.currency === undefined || posting.currency === query.currency) &&
  (query.kind === undefined || posting.kind === query.kind)

const sortOf = ({ currency, kind, ledger_account }: Balance): ReadonlyArray<string> => [
  currency,
  ledger_account,
  kind,
]

const placeOf = (total: DayTotal): ReadonlyArray<string> => [
  total.day,
  total.channel ?? "",
  ...sortOf(total),
]

const inOrder =
  <A>(place: (total: A) => ReadonlyArray<string>) =>
  (a: A, b: A): number => {
    const [left, right] = [place(a).join(" "), place(b).join(" ")]
    return left < right ? -1 : left > right ? 1 : 0
  }

/** Adds a total to the one at the same place. */
const folded = <A extends Balance>(
  totals: Pick<Kept<A>, "get" | "set">,
  place: (total: A) => ReadonlyArray<string>,
  added: A,
): void => {
  const name = place(added).join(" ")
  const { amount = 0, count = 0 } = totals.get(name) ?? {}
  totals.set(name, { ...added, amount: amount + added.amount, count: count + added.count })
}

type Placed = Pick<Posting, "id" | "created_at">

const byTime = (a: Placed, b: Placed): number =>
  a.created_at - b.created_at || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1)

const asked = (query: ClearingQuery, all: ReadonlyArray<Posting>): ReadonlyArray<Posting> => {
  if ("payment_intents" in query) {
    const of = new Set<string | null>(query.payment_intents)
    return all.filter(({ payment_intent }) => of.has(payment_intent)).toSorted(byTime)
  }
  const { after, from, limit, to } = query
  return all
    .filter(({ created_at }) => created_at >= from && created_at < to)
    .filter((row) => after === undefined || byTime(row, after) > 0)
    .toSorted(byTime)
    .slice(0, limit)
}

/** The rows of the ledger, to which rows are only added, with the sums of their days. */
export class Ledger {
  readonly #open: Family<OpenBooks>
  /** The ids of rows in closed books. */
  readonly #closed: Kept<true>
  /** By channel. */
  readonly #clearing: Family<Kept<Posting>>

  constructor(keeping: Keeping) {
    this.#open = keeping.family("books", (name) => ({
      postings: keeping.map(`${name} postings`),
      totals: keeping.map(`${name} totals`),
      balances: keeping.map(`${name} balances`),
    }))
    this.#closed = keeping.map("closed postings")
    this.#clearing = keeping.family("clearing", keeping.map<Posting>)
  }

  add(postings: ReadonlyArray<Posting>): void {
    for (const posting of postings) {
      const stored = frozen(posting)
      const { channel, currency, kind, ledger_account, amount, created_at } = stored
      const books = this.#open.open(stored.account_id)
      books.postings.set(stored.id, stored)
      if (ledger_account === "channel_clearing" && channel !== null) {
        this.#clearing.open(channel).set(stored.id, stored)
      }
      const sum = { currency, ledger_account, kind, amount, count: 1 }
      folded(books.totals, placeOf, { day: utcDay(created_at), channel, ...sum })
      folded(books.balances, sortOf, sum)
    }
  }

  /** Closes an account's books. Later reads begin empty. */
  close(accountId: string): void {
    for (const id of this.#open.get(accountId)?.postings.keys() ?? []) this.#closed.set(id, true)
    this.#open.drop(accountId)
  }

  list(query: EntryQuery): ReadonlyArray<Posting> {
    return [...(this.#open.get(query.account_id)?.postings.values() ?? [])]
      .filter((posting) => answers(posting, query))
      .toSorted((a, b) => (a.id < b.id === (query.order === "oldest") ? -1 : 1))
      .slice(0, query.limit)
  }

  clearing(query: ClearingQuery): ReadonlyArray<Cleared> {
    const rows = asked(query, [...(this.#clearing.get(query.channel)?.values() ?? [])])
    return rows.map((row) => ({ ...row, closed: this.#closed.get(row.id) === true }))
  }

  dayTotals({ account_id, from, to }: TotalsQuery): ReadonlyArray<DayTotal> {
    return [...(this.#open.get(account_id)?.totals.values() ?? [])]
      .filter(({ day }) => (from === undefined || day >= from) && (to === undefined || day <= to))
      .toSorted(inOrder(placeOf))
  }

  sums(query: TotalsQuery): ReadonlyArray<Balance> {
    const sums = new Map<string, Balance>()
    for (const { amount, count, currency, kind, ledger_account } of this.dayTotals(query)) {
      folded(sums, sortOf, { currency, ledger_account, kind, amount, count })
    }
    return [...sums.values()].toSorted(inOrder(sortOf))
  }

  balances(accountId: string): ReadonlyArray<Balance> {
    return [...(this.#open.get(accountId)?.balances.values() ?? [])].toSorted(inOrder(sortOf))
  }
}
