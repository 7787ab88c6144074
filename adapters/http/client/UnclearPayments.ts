/** The most payments that are kept. */
const MOST = 100

interface Kept<P> {
  readonly key: string
  readonly payment: P
  readonly expires_at: string
}

const isExpired = (expires_at: string): boolean => !(Date.parse(expires_at) > Date.now())

/**
 * Payments of which the wallet has not said whether it has made them. The next request for the same
 * thing asks the wallet for the same payment again, and makes no other one beside it.
 */
export class UnclearPayments<P extends object> {
  readonly #kept: Array<Kept<P>> = []
  readonly #askedLate = new WeakSet<P>()

  /**
   * Keeps a payment by what it buys, unless the wallet was asked for it after it had expired:
   * nobody can pay it any more, and the wallet does not know whether it was paid before.
   */
  keep(key: string, payment: P, expires_at: string): void {
    if (this.#askedLate.has(payment)) return
    this.#kept.push({ key, payment, expires_at })
    if (this.#kept.length > MOST) this.#kept.shift()
  }

  /** Takes the oldest payment that buys the same. */
  take(key: string): P | undefined {
    const at = this.#kept.findIndex((one) => one.key === key)
    const [taken] = at === -1 ? [] : this.#kept.splice(at, 1)
    if (taken !== undefined && isExpired(taken.expires_at)) this.#askedLate.add(taken.payment)
    return taken?.payment
  }
}
