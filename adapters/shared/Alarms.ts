interface Alarm {
  /** On the clock of `performance.now()`. */
  readonly at: number
  /** Undefined once the alarm is stopped. */
  ring: (() => void) | undefined
}

/**
 * Alarms that seldom ring, with one timer for all of them. A timer for each of thousands of
 * requests a second would cost more than the alarms.
 */
export class Alarms {
  readonly #set = new Set<Alarm>()
  #timer: NodeJS.Timeout | undefined
  #due = Infinity

  /** Calls `ring` after so many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, ring: () => void): () => void {
    const alarm: Alarm = { at: performance.now() + milliseconds, ring }
    this.#set.add(alarm)
    if (alarm.at < this.#due) this.#wait(alarm.at)
    return () => this.#stop(alarm)
  }

  /**
   * Without alarms there is no timer, which would keep the process running. V8 keeps removed
   * entries of a set for a while, in former tables. So a stopped alarm must not hold its `ring`,
   * which refers to a whole request.
   */
  #stop(alarm: Alarm): void {
    alarm.ring = undefined
    if (this.#set.delete(alarm) && this.#set.size === 0) this.#wait(Infinity)
  }

  #wait(at: number): void {
    clearTimeout(this.#timer)
    this.#due = at
    if (at === Infinity) return
    this.#timer = setTimeout(() => this.#look(), Math.max(0, at - performance.now()))
  }

  #look(): void {
    const now = performance.now()
    const due = [...this.#set].filter(({ at }) => at <= now)
    for (const alarm of due) this.#set.delete(alarm)
    this.#wait([...this.#set].reduce((next, { at }) => Math.min(next, at), Infinity))
    for (const { ring } of due) ring?.()
  }
}
