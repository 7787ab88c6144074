import { isFailing, leastShare, type ShareRule, type Shares } from "../webhooks/deliveries/Share.ts"

/** The most idle receivers with a reduced share that are remembered. */
const MOST_SPARED = 10_000

/** The most idle receivers with an increased share that are remembered. */
const MOST_QUICK = 500

interface Receiver {
  busy: number
  share: number
}

/** Puts the last used entry at the end, and removes the first if there are too many. */
const remember = (shares: Map<string, number>, id: string, share: number, most: number): void => {
  shares.delete(id)
  shares.set(id, share)
  const [oldest] = shares.size > most ? shares.keys() : []
  if (oldest !== undefined) shares.delete(oldest)
}

/** Counts this worker's attempts at each receiver, and how many more it may begin there. */
export class Receivers<Outcome> {
  readonly #busy = new Map<string, Receiver>()
  /** The shares of idle receivers, in the order of their last use. */
  readonly #spared = new Map<string, number>()
  readonly #quick = new Map<string, number>()
  readonly #hands: number
  readonly #rule: ShareRule<Outcome>

  /** `hands` is the most attempts at all receivers together. */
  constructor(hands: number, rule: ShareRule<Outcome>) {
    this.#hands = hands
    this.#rule = rule
  }

  shares(): Shares {
    const { first } = this.#rule
    const least = this.#least()
    const left = new Map(this.#quick)
    for (const [id, share] of this.#spared) left.set(id, Math.max(share, least))
    for (const [id, { busy, share }] of this.#busy) {
      left.set(id, Math.max((share < first ? Math.max(share, least) : share) - busy, 0))
    }
    return { each: first, left }
  }

  /** Returns the least share of each receiver in trouble. */
  #least(): number {
    const shares = [...[...this.#busy.values()].map(({ share }) => share), ...this.#spared.values()]
    const failing = shares.filter((share) => isFailing(share, this.#rule))
    return leastShare(this.#hands, failing.length)
  }

  begin(id: string): void {
    const known = this.#busy.get(id)
    if (known !== undefined) {
      known.busy += 1
      return
    }
    const share = this.#spared.get(id) ?? this.#quick.get(id) ?? this.#rule.first
    this.#spared.delete(id)
    this.#quick.delete(id)
    this.#busy.set(id, { busy: 1, share })
  }

  /** Updates the share after an attempt. */
  learn(id: string, outcome: Outcome): void {
    const receiver = this.#busy.get(id)
    if (receiver !== undefined) receiver.share = this.#rule.next(receiver.share, outcome)
  }

  end(id: string): void {
    const receiver = this.#busy.get(id)
    if (receiver === undefined) return
    receiver.busy -= 1
    if (receiver.busy > 0) return
    this.#busy.delete(id)
    // The usual share need not be remembered.
    const { share } = receiver
    const { first } = this.#rule
    if (share < first) remember(this.#spared, id, share, MOST_SPARED)
    if (share > first) remember(this.#quick, id, share, MOST_QUICK)
  }
}
