import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** A task for a later time. */
interface Timer {
  readonly at: Timestamp
  /** The order in which timers were set, which decides between timers of the same moment. */
  readonly order: number
  readonly ring: () => void
  cancelled: boolean
}

const before = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Timers by time, and within a moment in the order in which they were set. */
export class TimerQueue {
  readonly #heap: Array<Timer> = []
  #order = 0

  set(at: Timestamp, ring: () => void): Timer {
    const timer: Timer = { at, order: this.#order++, ring, cancelled: false }
    this.#rise(timer)
    return timer
  }

  /** Removes and returns the next timer; undefined if none is left. */
  next(): Timer | undefined {
    for (let timer = this.#pop(); timer !== undefined; timer = this.#pop()) {
      if (!timer.cancelled) return timer
    }
    return undefined
  }

  #rise(timer: Timer): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(timer)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !before(timer, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = timer
  }

  #pop(): Timer | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) this.#sink(last)
    return first
  }

  #sink(timer: Timer): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      if (left === undefined) break
      const [child, index] =
        right !== undefined && before(right, left) ? [right, 2 * at + 2] : [left, 2 * at + 1]
      if (!before(child, timer)) break
      heap[at] = child
      at = index
    }
    heap[at] = timer
  }
}

/** Tasks that can run now: by priority, lowest first, and within a priority in order of arrival. */
export class ReadyQueue {
  readonly #lanes: Array<{ readonly priority: number; tasks: Array<() => void>; next: number }> = []

  add(task: () => void, priority: number): void {
    let at = 0
    while (at < this.#lanes.length && (this.#lanes[at]?.priority ?? 0) < priority) at += 1
    const lane = this.#lanes[at]
    if (lane?.priority === priority) lane.tasks.push(task)
    else this.#lanes.splice(at, 0, { priority, tasks: [task], next: 0 })
  }

  /** Removes and returns the next task; undefined if none can run. */
  take(): (() => void) | undefined {
    for (const lane of this.#lanes) {
      const task = lane.tasks[lane.next]
      if (task === undefined) continue
      lane.next += 1
      if (lane.next === lane.tasks.length) {
        lane.tasks = []
        lane.next = 0
      }
      return task
    }
    return undefined
  }
}
