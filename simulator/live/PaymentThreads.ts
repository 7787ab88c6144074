const ID = /\b[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What belongs to one payment alone, by the prefixes of its ids. */
const OWNED = new Set(["creq", "evt", "wd", "ref", "rvk", "ai", "qr", "disc"])

const prefixOf = (id: string): string => id.slice(0, id.indexOf("_"))

/**
 * Which payments the steps of a world are about. A step that names one payment makes its own what
 * else it names for the first time: its refunds, requests, events and their deliveries, so that a
 * later step that names only these is found to be about it.
 */
export class PaymentThreads {
  readonly #payments = new Map<string, string>()

  /** The payments that a step's text is about, in the order in which it names them. */
  follow(what: string): ReadonlyArray<string> {
    const ids = [...new Set(what.match(ID))]
    const about = [...new Set(ids.flatMap((id) => this.paymentOf(id) ?? []))]
    const [only] = about
    if (only !== undefined && about.length === 1) {
      for (const id of ids) if (OWNED.has(prefixOf(id))) this.#payments.set(id, only)
    }
    return about
  }

  /** The payment that a record belongs to; undefined where it is nobody's, or several share it. */
  paymentOf(id: string): string | undefined {
    return prefixOf(id) === "pi" ? id : this.#payments.get(id)
  }
}
