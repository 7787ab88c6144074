import type { Timestamp } from "../../core/shared/Timestamp.ts"

export interface Entry {
  readonly at: Timestamp
  readonly id: string
}

const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.id < b.id)

/**
 * A binary heap of due entries, ordered by time, then by id. Entries stay when their record
 * changes, so a claim checks whether its entry is still valid.
 */
export class DueQueue {
  readonly #heap: Array<Entry> = []

  first(): Entry | undefined {
    return this.#heap[0]
  }

  add(entry: Entry): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !before(entry, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = entry
  }

  take(): Entry | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) this.#sink(last)
    return first
  }

  #sink(entry: Entry): void {
    const heap = this.#heap
    let at = 0
    while (true) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      if (left === undefined) break
      const [child, index] =
        right !== undefined && before(right, left) ? [right, 2 * at + 2] : [left, 2 * at + 1]
      if (!before(child, entry)) break
      heap[at] = child
      at = index
    }
    heap[at] = entry
  }
}
