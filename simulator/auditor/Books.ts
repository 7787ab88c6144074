import type { Entry } from "../channels/Entry.ts"
import type { LedgerAccount, Posting } from "../../core/ledger/Posting.ts"

/** The sums of one charge's entries, in minor units. */
interface Balance {
  held: number
  taken: number
}

/** One payment's entries at all channels, added up by the auditor. */
export class Books {
  readonly entries: Array<Entry> = []
  readonly charges = new Map<string, Balance>()

  enter(entry: Entry): void {
    this.entries.push(entry)
    const { value } = entry.amount
    const balance = this.charges.get(entry.charge_id) ?? { held: 0, taken: 0 }
    this.charges.set(entry.charge_id, balance)
    if (entry.type === "hold") balance.held += value
    if (entry.type === "release" || entry.type === "capture") balance.held -= value
    if (entry.type === "capture" || entry.type === "payment") balance.taken += value
    if (entry.type === "refund" || entry.type === "reversal") balance.taken -= value
  }

  count(...types: ReadonlyArray<Entry["type"]>): number {
    return this.entries.filter(({ type }) => types.includes(type)).length
  }

  /** Whether the value was refunded under a request number; 0 for a number without a refund. */
  gave(number: string, value: number): boolean {
    const back = this.entries.filter((entry) => entry.number === number && entry.type === "refund")
    return back.reduce((sum, { amount }) => sum + amount.value, 0) === value
  }

  get held(): number {
    return [...this.charges.values()].reduce((sum, { held }) => sum + held, 0)
  }

  get taken(): number {
    return [...this.charges.values()].reduce((sum, { taken }) => sum + taken, 0)
  }
}

/** The postings about one subject, summed by currency and ledger account. */
export class Posted {
  readonly #sums = new Map<string, number>()
  readonly #counts = new Map<string, number>()

  add({ amount, currency, kind, ledger_account }: Posting): void {
    const name = `${ledger_account} ${currency}`
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount)
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  on(account: LedgerAccount, currency: string): number {
    return this.#sums.get(`${account} ${currency}`) ?? 0
  }

  /** Whether an account's balance is zero in every currency. */
  isEmpty(account: LedgerAccount): boolean {
    return [...this.#sums].every(([name, sum]) => sum === 0 || !name.startsWith(`${account} `))
  }

  /** Whether anything was posted. */
  get isAny(): boolean {
    return this.#counts.size > 0
  }

  has(kind: Posting["kind"]): boolean {
    return this.#counts.has(kind)
  }
}
