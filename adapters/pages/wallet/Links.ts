import type { PageRequest } from "../Page.ts"

/** The path of the wallet. */
export const WALLET = "/sandbox/wallet"

/** Links within the wallet, which keep the requested language. */
export class Links {
  readonly #root: string
  readonly #lang: string | null

  constructor({ query, site }: Pick<PageRequest, "query" | "site">) {
    this.#root = site.root
    this.#lang = query.get("lang")
  }

  /** Returns the address of a path of the site, with an additional query if given. */
  to(path: string, said: { readonly [name: string]: string | undefined } = {}): string {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(said))
      if (value !== undefined) query.set(name, value)
    if (this.#lang !== null && !query.has("lang")) query.set("lang", this.#lang)
    return `${this.#root}${path}${query.size === 0 ? "" : `?${query.toString()}`}`
  }

  get home(): string {
    return this.to(WALLET)
  }

  payment(id: string, channel: string | undefined): string {
    return this.to(`${WALLET}/pay/${encodeURIComponent(id)}`, { channel })
  }

  mandate(id: string): string {
    return this.to(`${WALLET}/mandates/${encodeURIComponent(id)}`)
  }

  /** Returns the page of a service's static code, where the payment is made. */
  service(id: string, channel: string | undefined): string {
    return this.to(`/pay/s/${encodeURIComponent(id)}`, { channel })
  }
}
