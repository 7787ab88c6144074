import { pricesOf } from "../../../core/registry/PriceFilter.ts"
import { searchEntries, type SearchPlace } from "../../../core/registry/SearchEntries.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { addBits, noBits, setBit } from "./Bits.ts"
import { encodePrices, encodeSellers, encodeWords } from "./Columns.ts"
import { encodeMembers } from "./Members.ts"
import { encodePlaces, encodeRare, isRare } from "./Postings.ts"
import { prefixNodes } from "./PrefixNodes.ts"
import { sortInPieces } from "./sortInPieces.ts"

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

/** The work of a few milliseconds, in positions that are handled. */
const TURN = 32_768

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
  #wordCount = 0

  /** The newest manifest that was added. */
  get last(): Pick<ServiceManifest, "id" | "created_at"> | undefined {
    return this.#members.at(-1)
  }

  get size(): number {
    return this.#members.length
  }

  /** The number of words: a word counts once for each manifest that has it. */
  get words(): number {
    return this.#wordCount
  }

  add(manifest: ServiceManifest): void {
    const at = this.#members.length
    const { accepted_channels, account_id, created_at, id, payment_methods, status } = manifest
    this.#members.push({ created_at, id })
    this.#sellers.push(account_id.replace(/^acct_/, ""))
    const entries = searchEntries(manifest)
    this.#wordCount += entries.size
    for (const [entry, place] of entries) {
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

  /** Yields all entries, one at a time, and undefined after other work of some milliseconds. */
  *entries(): Generator<BlockEntry | undefined> {
    yield* this.#columns()
    const words = yield* sortInPieces(this.#words.keys())
    const found: Array<ReadonlyArray<number>> = []
    let work = 0
    const isTurn = (done: number): boolean => {
      work = work >= TURN ? done : work + done
      return work >= TURN
    }
    for (const word of words) {
      const own = this.#words.get(word) ?? []
      found.push(own)
      yield { kind: "word", entry: word, postings: this.#encode([own], own.length) }
      if (isTurn(own.length)) yield undefined
    }
    for (const node of prefixNodes(words, LEAST_WORDS)) {
      if (node === undefined) yield undefined
      else {
        const lists = found.slice(node.first, node.last + 1)
        const count = lists.reduce((sum, { length }) => sum + length, 0)
        yield { kind: "prefix", entry: node.prefix, postings: this.#encode(lists, count) }
        if (isTurn(lists.length + count)) yield undefined
      }
    }
  }

  *#columns(): Generator<BlockEntry> {
    const { size } = this
    const members = encodeMembers(this.#members)
    yield { kind: "column", entry: "members", postings: members }
    yield { kind: "column", entry: "sellers", postings: encodeSellers(this.#sellers) }
    yield { kind: "column", entry: "words", postings: encodeWords(this.words) }
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
  }

  /** Encodes the places of some words, `count` in all. */
  #encode(lists: ReadonlyArray<ReadonlyArray<number>>, count: number): Uint8Array {
    const { size } = this
    if (isRare(count, size)) {
      const [only, ...others] = lists
      if (only !== undefined && others.length === 0) return encodeRare(only)
      // The best place of a manifest comes first.
      const all = lists.flat().sort((a, b) => a - b)
      return encodeRare(all.filter((one, n) => n === 0 || one >>> 2 !== (all[n - 1] ?? 0) >>> 2))
    }
    const named = noBits(size)
    const labelled = noBits(size)
    const anywhere = noBits(size)
    const sets = [named, labelled, anywhere]
    for (const list of lists) {
      for (const found of list) {
        const bits = sets[found & 3]
        if (bits !== undefined) setBit(bits, found >>> 2)
      }
    }
    addBits(labelled, named)
    addBits(anywhere, labelled)
    return encodePlaces({ named, labelled, anywhere })
  }
}
