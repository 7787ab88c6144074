/** Work that can go on now: by priority, lowest first, and in the order of arrival within one. */
export class ReadyQueue {
  readonly #lanes: Array<{ readonly priority: number; tasks: Array<() => void>; next: number }> = []

  add(task: () => void, priority: number): void {
    let at = 0
    while (at < this.#lanes.length && (this.#lanes[at]?.priority ?? 0) < priority) at += 1
    const lane = this.#lanes[at]
    if (lane?.priority === priority) lane.tasks.push(task)
    else this.#lanes.splice(at, 0, { priority, tasks: [task], next: 0 })
  }

  /** Takes the next piece of work out; undefined when nothing can go on. */
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
