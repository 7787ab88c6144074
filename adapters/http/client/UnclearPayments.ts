/** The most payments that are kept. */
const MOST = 100

/**
 * Payments of which the wallet has not said whether it has made them. The next request for the same
 * thing asks the wallet for the same payment again, and makes no other one beside it.
 */
export class UnclearPayments<P> {
  readonly #kept: Array<{ readonly key: string; readonly payment: P }> = []

  /** Keeps a payment by what it buys, unless it has expired: nobody can pay it any more. */
  keep(key: string, payment: P, expires_at: string): void {
    if (!(Date.parse(expires_at) > Date.now())) return
    this.#kept.push({ key, payment })
    if (this.#kept.length > MOST) this.#kept.shift()
  }

  /** Takes the oldest payment that buys the same. */
  take(key: string): P | undefined {
    const at = this.#kept.findIndex((one) => one.key === key)
    const [taken] = at === -1 ? [] : this.#kept.splice(at, 1)
    return taken?.payment
  }
}
