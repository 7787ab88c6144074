const ID = /\b[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The id prefixes of records that belong to one payment. */
const OWNED = new Set(["creq", "evt", "wd", "ref", "rvk", "ai", "qr", "disc"])

const prefixOf = (id: string): string => id.slice(0, id.indexOf("_"))

/**
 * Knows which payments the steps of a world are about. A step that names one payment assigns to it
 * all new ids in the same step: refunds, requests, events and their deliveries. A later step that
 * names only these ids is then about that payment.
 */
export class PaymentThreads {
  readonly #payments = new Map<string, string>()

  /** Returns the payments that a step's text is about, in the order of their names in it. */
  follow(what: string): ReadonlyArray<string> {
    const ids = [...new Set(what.match(ID))]
    const about = [...new Set(ids.flatMap((id) => this.paymentOf(id) ?? []))]
    const [only] = about
    if (only !== undefined && about.length === 1) {
      for (const id of ids) if (OWNED.has(prefixOf(id))) this.#payments.set(id, only)
    }
    return about
  }

  /** Returns the payment that a record belongs to; undefined if it is none, or several. */
  paymentOf(id: string): string | undefined {
    return prefixOf(id) === "pi" ? id : this.#payments.get(id)
  }
}
