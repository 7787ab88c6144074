/** Prints the current step and the remaining time on stderr. */
export class Progress {
  readonly #planned: number
  readonly #started = performance.now()
  #done = 0

  /** `planned` is the sum of the seconds that will be passed to `step`. */
  constructor(planned: number) {
    this.#planned = planned
  }

  /** Runs the work, which takes about so many seconds. */
  async step<A>(what: string, seconds: number, work: () => Promise<A>): Promise<A> {
    process.stderr.write(`${this.#remaining().padStart(9)} left  ${what}\n`)
    try {
      return await work()
    } finally {
      this.#done += seconds
    }
  }

  /** Says something that has to be noticed. */
  warn(text: string): void {
    process.stderr.write(`\n!! ${text}\n\n`)
  }

  #remaining(): string {
    const passed = (performance.now() - this.#started) / 1000
    const pace = this.#done > 20 ? passed / this.#done : 1
    const seconds = Math.max(0, Math.round((this.#planned - this.#done) * pace))
    return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")}`
  }
}
