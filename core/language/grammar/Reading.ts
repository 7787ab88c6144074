import { CHINESE } from "./Chinese.ts"
import { ENGLISH } from "./English.ts"
import { networkOf } from "./Network.ts"
import { type Order, ORDERED, type Ordered, type Said } from "./Order.ts"
import { type Filled, SLOTS, type Source } from "./Slots.ts"
import { readable, type Token, tokensOf } from "./Tokens.ts"

/** The result of reading a text with the grammar. */
export interface Reading {
  /**
   * The orders in which every word of the text is used, one for each possible reading; the readings
   * differ in where names begin and end. Those with the shortest names come first. Empty where a
   * word is left over, or where there are too many readings.
   */
  readonly orders: ReadonlyArray<Order>
  /** The words that no order uses, in their order; as few as possible. */
  readonly unread: ReadonlyArray<string>
  /** How many comparisons of a place of the grammar with a token were made. */
  readonly steps: number
}

/** The most tokens of an order. A Han character is one token, and so is a mark. */
const MOST_TOKENS = 160

/** Where more tokens are left over, the whole text counts as unread. */
const MOST_LEFT = 6

/** The most orders that are returned. */
const MOST_ORDERS = 8

/** A text with this many readings is not read. */
const MOST_WAYS = 64

/** The most groups of unread words that are returned, and the most characters of each. */
const MOST_UNREAD = 4
const MOST_UNREAD_CHARACTERS = 48

const RULES: { readonly [I in Ordered]: readonly [english: string, chinese: string] } = {
  pay: ["Pay", "ZhPay"],
  subscribe: ["Subscribe", "ZhSubscribe"],
  query_invoice: ["Query", "ZhQuery"],
  refund: ["Refund", "ZhRefund"],
  void: ["Void", "ZhVoid"],
}

const network = networkOf(`${ENGLISH}\n${CHINESE}`, Object.values(RULES).flat())

interface Start {
  readonly intent: Ordered
  readonly place: number
}

const STARTS: ReadonlyArray<Start> = ORDERED.flatMap((intent) =>
  RULES[intent].map((rule) => ({ intent, place: network.starts.get(rule) ?? 0 })),
)

/** Returns a cached lookup of what each terminal matches at each token. */
const finder = (source: Source) => {
  const found: Array<ReadonlyArray<Filled> | undefined> = []
  return (terminal: number, at: number): ReadonlyArray<Filled> => {
    const key = at * network.terminals.length + terminal
    const known = found[key]
    if (known !== undefined) return known
    const kind = network.terminals[terminal]
    const fills =
      kind === undefined
        ? []
        : kind.type === "slot"
          ? (SLOTS[kind.name]?.(source, at) ?? [])
          : kind.phrases.at(source.words, at).map(({ end }) => ({ end, said: {} }))
    found[key] = fills
    return fills
  }
}

type Find = ReturnType<typeof finder>

interface Read extends Source {
  readonly find: Find
}

/** The fewest unread tokens at each place, by the index of the token before which it is reached. */
type Unread = ReadonlyArray<Map<number, number>>

const mapsFor = (length: number): Unread =>
  Array.from({ length: length + 1 }, () => new Map<number, number>())

const lower = (unread: Unread, at: number, place: number, few: number): void => {
  const known = unread[at]?.get(place)
  if (known === undefined || few < known) unread[at]?.set(place, few)
}

/**
 * Computes the fewest tokens left unread from each place, for the places that are reached with at
 * most `most` unread tokens. The first pass goes forward to find the reachable places, the second
 * goes back.
 */
const leastUnread = (length: number, find: Find, most: number) => {
  const reached = mapsFor(length)
  const least = mapsFor(length)
  let steps = 0
  for (const { place } of STARTS) lower(reached, 0, place, 0)
  for (let at = 0; at < length; at += 1) {
    for (const [place, unread] of reached[at] ?? []) {
      for (const { terminal, to } of network.places[place]?.steps ?? []) {
        steps += 1
        for (const { end } of find(terminal, at)) lower(reached, end, to, unread)
      }
      if (unread < most) lower(reached, at + 1, place, unread + 1)
    }
  }
  for (const place of reached[length]?.keys() ?? []) {
    if (network.places[place]?.isEnd === true) lower(least, length, place, 0)
  }
  for (let at = length - 1; at >= 0; at -= 1) {
    for (const place of reached[at]?.keys() ?? []) {
      for (const { terminal, to } of network.places[place]?.steps ?? []) {
        steps += 1
        for (const { end } of find(terminal, at)) {
          const few = least[end]?.get(to)
          if (few !== undefined) lower(least, at, place, few)
        }
      }
      const later = least[at + 1]?.get(place)
      if (later !== undefined && later < most) lower(least, at, place, later + 1)
    }
  }
  return { of: (at: number, place: number) => least[at]?.get(place), steps }
}

type Least = ReturnType<typeof leastUnread>

interface Way {
  readonly said: Said
  /** How many tokens its unquoted names have. */
  readonly named: number
  readonly unread: ReadonlyArray<number>
}

/** Tells whether a slot contradicts a value of an earlier slot. */
const contradicts = (said: Said, more: Said): boolean =>
  Object.entries(more).some(([key, value]) => {
    const known: unknown = Reflect.get(said, key)
    return known !== undefined && known !== value
  })

/** Returns up to `most` readings with the fewest unread tokens. */
const waysFrom = (place: number, { find, tokens }: Read, most: number, least: Least) => {
  const { length } = tokens
  const isQuoted = (at: number) => tokens[at]?.kind === "quoted"
  const ways: Array<Way> = []
  const walk = (at: number, from: number, { named, said, unread }: Way): void => {
    if (ways.length >= most) return
    if (at === length) {
      ways.push({ said, named, unread })
      return
    }
    const few = least.of(at, from)
    for (const { terminal, to } of network.places[from]?.steps ?? []) {
      for (const { end, said: more } of find(terminal, at)) {
        if (least.of(end, to) !== few || contradicts(said, more)) continue
        const isFree = more.service !== undefined && !isQuoted(at)
        const inName = isFree ? end - at : 0
        walk(end, to, { said: { ...said, ...more }, named: named + inName, unread })
      }
    }
    if (few !== undefined && least.of(at + 1, from) === few - 1)
      walk(at + 1, from, { said, named, unread: [...unread, at] })
  }
  walk(0, place, { said: {}, named: 0, unread: [] })
  return ways
}

const keyOf = (order: Order): string =>
  JSON.stringify(Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Returns the unread tokens as text; neighbours form one piece. */
const pieces = (text: string, tokens: ReadonlyArray<Token>, unread: ReadonlyArray<number>) => {
  const spans: Array<{ readonly start: number; end: number; last: number }> = []
  for (const index of unread) {
    const { end = 0, start = 0 } = tokens[index] ?? {}
    const before = spans.at(-1)
    if (before?.last === index - 1) Object.assign(before, { end, last: index })
    else spans.push({ start, end, last: index })
  }
  return spans
    .slice(0, MOST_UNREAD)
    .map(({ end, start }) => text.slice(start, end).slice(0, MOST_UNREAD_CHARACTERS))
}

/** Prepares a text for reading; undefined where it is too long for an order. */
const sourceOf = (given: string, codes: ReadonlySet<string>): Read | undefined => {
  const text = readable(given)
  const tokens = tokensOf(text)
  if (tokens.length === 0 || tokens.length > MOST_TOKENS) return undefined
  const source = { text, tokens, words: tokens.map((token) => token.text), codes }
  return { ...source, find: finder(source) }
}

const everyOrder = (source: Read) => {
  const least = leastUnread(source.tokens.length, source.find, 0)
  const ways = STARTS.filter(({ place }) => least.of(0, place) === 0).flatMap(({ intent, place }) =>
    waysFrom(place, source, MOST_WAYS, least).map((way) => ({ ...way, intent })),
  )
  const shortest = Math.min(...ways.map(({ named }) => named))
  const orders = new Map(
    ways
      // "Show open invoices" means no service named Open. A wrong query costs nothing.
      .filter(({ intent, named }) => intent !== "query_invoice" || named === shortest)
      .toSorted((a, b) => a.named - b.named)
      .map(({ intent, said }): Order => ({ intent, ...said }))
      .map((order) => [keyOf(order), order]),
  )
  const isTooMany = ways.length >= MOST_WAYS
  return { orders: isTooMany ? [] : [...orders.values()].slice(0, MOST_ORDERS), steps: least.steps }
}

/** Returns the orders of a text; see {@link readOrder}. */
export const ordersIn = (text: string, codes: ReadonlySet<string>): ReadonlyArray<Order> => {
  const source = sourceOf(text, codes)
  return source === undefined ? [] : everyOrder(source).orders
}

/**
 * Reads a text as an order. Every word is either used by the order or returned as unread. No
 * unquoted name contains a word that changes what an order means (see `reservedAt`). The number of
 * steps is bounded by the number of tokens. `codes` are all ISO 4217 codes.
 */
export const readOrder = (given: string, codes: ReadonlySet<string>): Reading => {
  const source = sourceOf(given, codes)
  if (source === undefined) {
    const all = readable(given).slice(0, MOST_UNREAD_CHARACTERS)
    return { orders: [], unread: all === "" ? [] : [all], steps: 0 }
  }
  const { find, text, tokens } = source
  const { orders, steps } = everyOrder(source)
  if (orders.length > 0) return { orders, unread: [], steps }
  const least = leastUnread(tokens.length, find, MOST_LEFT)
  const fewest = (place: number) => least.of(0, place) ?? MOST_TOKENS
  const [best] = STARTS.toSorted((a, b) => fewest(a.place) - fewest(b.place))
  const [way] = best === undefined ? [] : waysFrom(best.place, source, 1, least)
  const unread = way === undefined || way.unread.length === 0 ? [...tokens.keys()] : way.unread
  return { orders: [], unread: pieces(text, tokens, unread), steps: steps + least.steps }
}
