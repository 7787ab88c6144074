/** How many items may wait in all, and how many of one owner. */
export interface QueueLimits {
  readonly mostWaiting: number
  readonly mostOfOne: number
}

/**
 * Items that wait for their turn, in a line for each owner. Owners take turns, so that an owner
 * with many items delays the others by one item at most.
 */
export class FairQueue<A> {
  readonly #limits: QueueLimits
  /** Owners in the order of their turns, each with its items in the order of their arrival. */
  readonly #lines = new Map<string, Array<A>>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** Queues an item; false where its owner or all owners together have too many. */
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

  /** Takes the item whose turn it is. The owner's further items wait for the other owners. */
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

  /** Takes an item out of the line; false where it does not wait. */
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
