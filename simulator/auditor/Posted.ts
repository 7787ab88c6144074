import type { LedgerAccount, Posting } from "../../core/ledger/Posting.ts"

/** What was posted about something, summed up by currency and ledger account. */
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

  /** Whether an account holds nothing in any currency. */
  isEmpty(account: LedgerAccount): boolean {
    return [...this.#sums].every(([name, sum]) => sum === 0 || !name.startsWith(`${account} `))
  }

  has(kind: Posting["kind"]): boolean {
    return this.#counts.has(kind)
  }
}
