import { pricesOf } from "../../../core/registry/PriceFilter.ts"
import { searchEntries, type SearchPlace } from "../../../core/registry/SearchEntries.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { addBits, noBits, setBit } from "./Bits.ts"
import { encodePrices, encodeSellers } from "./Columns.ts"
import { encodeMembers } from "./Members.ts"
import { encodePlaces, type Places } from "./Postings.ts"
import { prefixNodes } from "./PrefixNodes.ts"

/** The kind of a block's entry: a word, a prefix of many words, a filter, or a column. */
export type EntryKind = "word" | "prefix" | "filter" | "column"

/** The stored data of one entry of a block. */
export interface BlockEntry {
  readonly kind: EntryKind
  readonly entry: string
  readonly postings: Uint8Array
}

/** The least number of words that share a prefix, for the prefix to get its own entry. */
const LEAST_WORDS = 8

/** Each position is stored with its place, in the lowest two bits. */
const PLACES: { readonly [P in SearchPlace]: number } = { name: 0, tags: 1, description: 2 }

const METHODS = ["one_time", "cumulative", "subscription"] as const

/** Returns the entry of a column of prices. Undefined stands for any method or currency. */
export const priceEntry = (method: string | undefined, currency: string | undefined): string =>
  `price:${method ?? ""}:${currency ?? ""}`

/** The entries of the filters that a manifest matches. */
export const filterEntry = {
  status: (status: string): string => `status:${status}`,
  channel: (channel: string): string => `channel:${channel}`,
  method: (method: string): string => `method:${method}`,
}

const push = <K, V>(lists: Map<K, Array<V>>, key: K, value: V): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Builds the entries of a block from its manifests, which are added in order of age. */
export class BlockBuilder {
  readonly #words = new Map<string, Array<number>>()
  readonly #filters = new Map<string, Array<number>>()
  readonly #prices = new Map<string, Array<number | undefined>>()
  readonly #members: Array<Pick<ServiceManifest, "id" | "created_at">> = []
  readonly #sellers: Array<string> = []

  /** The newest manifest that was added. */
  get last(): Pick<ServiceManifest, "id" | "created_at"> | undefined {
    return this.#members.at(-1)
  }

  get size(): number {
    return this.#members.length
  }

  add(manifest: ServiceManifest): void {
    const at = this.#members.length
    const { accepted_channels, account_id, created_at, id, payment_methods, status } = manifest
    this.#members.push({ created_at, id })
    this.#sellers.push(account_id.replace(/^acct_/, ""))
    for (const [entry, place] of searchEntries(manifest)) {
      push(this.#words, entry, at * 4 + PLACES[place])
    }
    push(this.#filters, filterEntry.status(status), at)
    for (const channel of new Set(accepted_channels)) {
      push(this.#filters, filterEntry.channel(channel), at)
    }
    for (const method of METHODS) {
      if (payment_methods[method] === true) push(this.#filters, filterEntry.method(method), at)
    }
    for (const { amount, currency, method } of pricesOf(manifest)) {
      for (const one of [undefined, method]) {
        for (const two of [undefined, currency]) this.#price(priceEntry(one, two), at, amount)
      }
    }
  }

  #price(entry: string, at: number, amount: number): void {
    const column = this.#prices.get(entry) ?? []
    this.#prices.set(entry, column)
    column[at] = Math.min(column[at] ?? Infinity, amount)
  }

  /** Yields all entries, one at a time. */
  *entries(): Generator<BlockEntry> {
    const { size } = this
    const members = encodeMembers(this.#members)
    yield { kind: "column", entry: "members", postings: members }
    yield { kind: "column", entry: "sellers", postings: encodeSellers(this.#sellers) }
    for (const [entry, column] of this.#prices) {
      const prices = Array.from({ length: size }, (_, at) => column[at])
      yield { kind: "column", entry, postings: encodePrices(prices) }
    }
    for (const [entry, found] of this.#filters) {
      const anywhere = noBits(size)
      for (const at of found) setBit(anywhere, at)
      const nothing = noBits(size)
      const postings = encodePlaces({ anywhere, labelled: nothing, named: nothing })
      yield { kind: "filter", entry, postings }
    }
    const words = [...this.#words.keys()].sort()
    for (const word of words) {
      yield { kind: "word", entry: word, postings: encodePlaces(this.#placesOf([word])) }
    }
    for (const { first, last, prefix } of prefixNodes(words, LEAST_WORDS)) {
      const places = this.#placesOf(words.slice(first, last + 1))
      yield { kind: "prefix", entry: prefix, postings: encodePlaces(places) }
    }
  }

  #placesOf(words: ReadonlyArray<string>): Places {
    const { size } = this
    const named = noBits(size)
    const labelled = noBits(size)
    const anywhere = noBits(size)
    const sets = [named, labelled, anywhere]
    for (const word of words) {
      for (const found of this.#words.get(word) ?? []) {
        const bits = sets[found & 3]
        if (bits !== undefined) setBit(bits, found >>> 2)
      }
    }
    addBits(labelled, named)
    addBits(anywhere, labelled)
    return { named, labelled, anywhere }
  }
}
