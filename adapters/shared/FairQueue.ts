/** The most waiting items in total, and of one owner. */
export interface QueueLimits {
  readonly mostWaiting: number
  readonly mostOfOne: number
}

/**
 * Items that wait for their turn, in one queue per owner. Owners take turns, so that an owner with
 * many items delays the others by at most one item.
 */
export class FairQueue<A> {
  readonly #limits: QueueLimits
  /** Owners in the order of their turns, each with its items in order of arrival. */
  readonly #lines = new Map<string, Array<A>>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** Queues an item. Returns false if its owner, or all owners together, have too many. */
  add(owner: string, item: A): boolean {
    const line = this.#lines.get(owner) ?? []
    if (this.#size >= this.#limits.mostWaiting || line.length >= this.#limits.mostOfOne) {
      return false
    }
    line.push(item)
    this.#size += 1
    this.#lines.set(owner, line)
    return true
  }

  /** Takes the next item. The owner's further items wait for the other owners. */
  next(): A | undefined {
    for (const [owner, line] of this.#lines) {
      const item = line.shift()
      this.#lines.delete(owner)
      if (item === undefined) continue
      if (line.length > 0) this.#lines.set(owner, line)
      this.#size -= 1
      return item
    }
    return undefined
  }

  /** Removes an item from the queue. Returns false if it is not waiting. */
  remove(owner: string, item: A): boolean {
    const line = this.#lines.get(owner)
    const place = line?.indexOf(item) ?? -1
    if (line === undefined || place < 0) return false
    line.splice(place, 1)
    if (line.length === 0) this.#lines.delete(owner)
    this.#size -= 1
    return true
  }
}
