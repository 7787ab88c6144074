import { PaymentRefused } from "./BudgetTracker.ts"
import { type Fields, isFields } from "./Fields.ts"
import type { X402Required } from "./x402Buyer.ts"
import { decodeHeader } from "./x402Header.ts"

/** For each origin, which others its 402s may name as paid for. */
export interface X402Origins {
  readonly [asked: string]: ReadonlyArray<string>
}

/** The most requirements that are remembered. */
const MOST = 1_000

/** The most ways to pay of one 402. A client could choose one beyond those that are read. */
const MOST_WAYS = 20

/** Identifies what is paid for: the seller, the amount and the address. */
export const keyOf = ({
  amount,
  asset,
  extra,
  network,
  payTo,
}: Omit<X402Required, "scheme">): string =>
  JSON.stringify([network, payTo, asset, amount, extra["resource"]])

/** Whether a tool is paid (x402's MCP transport). No header says whether it has answered. */
export const isOfTool = ({ extra }: Pick<X402Required, "extra">): boolean =>
  String(extra["resource"]).startsWith("mcp://tool/")

const isText = (value: unknown): value is string => typeof value === "string"

const extraOf = (way: unknown): Fields =>
  isFields(way) && isFields(way["extra"]) ? way["extra"] : {}

/** Returns the ways to pay of a 402; undefined if they cannot be read as a whole. */
const waysIn = (headers: Headers): ReadonlyArray<unknown> | undefined => {
  const { accepts } = decodeHeader(headers.get("PAYMENT-REQUIRED"))
  return Array.isArray(accepts) && accepts.length <= MOST_WAYS ? accepts : undefined
}

/** Returns those that bind a payment to an address. */
const boundIn = (ways: ReadonlyArray<unknown>) =>
  ways.flatMap((way) => {
    if (!isFields(way)) return []
    const { amount, asset, network, payTo } = way
    const extra = extraOf(way)
    const { resource } = extra
    return isText(network) &&
      network.startsWith("payport:") &&
      isText(resource) &&
      URL.canParse(resource) &&
      isText(amount) &&
      isText(asset) &&
      isText(payTo)
      ? [{ amount, asset, extra, network, payTo, resource }]
      : []
  })

/** What was asked for by which origin: a 402 may ask for payments for its own origin only. */
export class X402Demands {
  readonly #allowed: ReadonlyMap<string, ReadonlyArray<string>>
  readonly #asked = new Map<string, string>()

  constructor(allowed: X402Origins = {}) {
    const originOf = (url: string): string => new URL(url).origin
    this.#allowed = new Map(
      Object.entries(allowed).map(([asked, named]) => [originOf(asked), named.map(originOf)]),
    )
  }

  /**
   * Records what a 402 from that address asks for. Throws `PaymentRefused` if that is a payment for
   * a tool or another origin, whose seller would be paid instead, or if it cannot be read.
   */
  note(asked: URL, headers: Headers): void {
    const refuse = (named: unknown) =>
      new PaymentRefused(
        "origin",
        `A 402 of ${asked.origin} asks for a payment for ${String(named)}.`,
      )
    const ways = waysIn(headers)
    if (ways === undefined) {
      const message = `A 402 of ${asked.origin} has no list of at most ${MOST_WAYS} ways to pay.`
      throw new PaymentRefused("malformed", message)
    }
    // The payments of tools are checked nowhere else, so no form of theirs may be overlooked.
    const tool = ways.map(extraOf).find((extra) => isOfTool({ extra }))
    if (tool !== undefined) throw refuse(tool["resource"])
    for (const way of boundIn(ways)) {
      const named = new URL(way.resource)
      if (!this.#isNamedBy(asked, named)) throw refuse(named.href)
      const key = keyOf(way)
      this.#asked.delete(key)
      this.#asked.set(key, asked.origin)
      const [oldest] = this.#asked.size > MOST ? this.#asked.keys() : []
      if (oldest !== undefined) this.#asked.delete(oldest)
    }
  }

  /**
   * Returns the origin that has asked for the payment. For a tool, whose server is not known here,
   * it is the tool's own name. Throws `PaymentRefused` if no 402 has asked.
   */
  originOf(required: X402Required): string {
    if (isOfTool(required)) return String(required.extra["resource"])
    const origin = this.#asked.get(keyOf(required))
    if (origin !== undefined) return origin
    const message = "Who asks for this payment is unknown: send the requests by the buyer's fetch."
    throw new PaymentRefused("origin", message)
  }

  #isNamedBy(asked: URL, named: URL): boolean {
    if (named.protocol !== "https:" && named.protocol !== "http:") return false
    if (named.origin === asked.origin) return true
    // Behind a proxy that ends TLS, a server may believe that it was asked over HTTP.
    const isPlain = asked.protocol === "https:" && named.protocol === "http:"
    if (isPlain && named.host === asked.host) return true
    return this.#allowed.get(asked.origin)?.includes(named.origin) === true
  }
}
