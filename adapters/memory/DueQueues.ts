import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { DueQueue, type Entry } from "./DueQueue.ts"

export type Test = (entry: Entry) => boolean

const compare = (a: Entry, b: Entry): number => a.at - b.at || (a.id < b.id ? -1 : 1)

/** Due entries, by receiver. */
export interface KeptQueues {
  readonly add: (receiver: string, entry: Entry) => void
  /**
   * Returns due and free entries, earliest first, of each receiver at most its share. Returns at
   * least `limit` if there are enough.
   */
  readonly due: (
    now: Timestamp,
    holds: Test,
    free: (id: string) => boolean,
    share: (receiver: string) => number,
    limit: number,
  ) => ReadonlyArray<Entry>
  readonly nextDueAt: (holds: Test) => Timestamp | undefined
}

/** One queue per receiver, so that nobody has to walk through a receiver's hundred thousand. */
export class DueQueues implements KeptQueues {
  readonly #queues = new Map<string, DueQueue>()

  add(receiver: string, entry: Entry): void {
    const queue = this.#queues.get(receiver) ?? new DueQueue()
    this.#queues.set(receiver, queue)
    queue.add(entry)
  }

  /** Returns due and free entries, earliest first, of each receiver at most its share. */
  due(
    now: Timestamp,
    holds: Test,
    free: (id: string) => boolean,
    share: (receiver: string) => number,
  ): ReadonlyArray<Entry> {
    const found: Array<Entry> = []
    for (const [receiver, queue] of this.#queues) {
      const room = share(receiver)
      if (room > 0) found.push(...dueOf(queue, now, holds, free, room))
    }
    return found.toSorted(compare)
  }

  nextDueAt(holds: Test): Timestamp | undefined {
    let next: Timestamp | undefined
    for (const [receiver, queue] of this.#queues) {
      const first = firstOf(queue, holds)
      if (first === undefined) this.#queues.delete(receiver)
      else if (next === undefined || first.at < next) next = first.at
    }
    return next
  }
}

const firstOf = (queue: DueQueue, holds: Test): Entry | undefined => {
  for (let entry = queue.first(); entry !== undefined; entry = queue.first()) {
    if (holds(entry)) return entry
    queue.take()
  }
  return undefined
}

/** Due entries stay in their queue until their record changes. */
const dueOf = (
  queue: DueQueue,
  now: Timestamp,
  holds: Test,
  free: (id: string) => boolean,
  room: number,
): ReadonlyArray<Entry> => {
  const found: Array<Entry> = []
  const seen = new Map<string, Entry>()
  while (found.length < room) {
    const entry = queue.first()
    if (entry === undefined || entry.at > now) break
    queue.take()
    if (!holds(entry) || seen.has(entry.id)) continue
    seen.set(entry.id, entry)
    if (free(entry.id)) found.push(entry)
  }
  for (const entry of seen.values()) queue.add(entry)
  return found
}
