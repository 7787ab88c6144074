interface Alarm {
  /** On the clock of `performance.now()`. */
  readonly at: number
  /** Undefined once it is stopped. */
  ring: (() => void) | undefined
}

/**
 * Alarms that are hardly ever let ring, with one timer for all that are set: a timer for each of
 * thousands of requests a second would cost more than the alarms.
 */
export class Alarms {
  readonly #set = new Set<Alarm>()
  #timer: NodeJS.Timeout | undefined
  #due = Infinity

  /** Calls `ring` after so many milliseconds, unless what it returns is called before. */
  after(milliseconds: number, ring: () => void): () => void {
    const alarm: Alarm = { at: performance.now() + milliseconds, ring }
    this.#set.add(alarm)
    if (alarm.at < this.#due) this.#wait(alarm.at)
    return () => this.#stop(alarm)
  }

  /**
   * Without alarms there is no timer either, which would keep the process running. V8 keeps what
   * has left a set for a while, in a chain of former tables: what a stopped alarm would have rung
   * for, which is a whole request, must not stay with it.
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
