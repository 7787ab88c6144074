import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** Moves the service's clock forward by whole seconds; returns its new time. */
export type Advance = (seconds: number) => Promise<Timestamp>

/** Work within this time runs at once, since each move of the clock costs the service work. */
const GRAIN = 4 * SECOND

interface Timer {
  readonly at: Timestamp
  /** Whether it has to wake at the millisecond, as far as a clock on a network allows. */
  readonly exact: boolean
  readonly ring: () => void
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/**
 * The service's time. It runs by itself. When all players are waiting, it is moved to the next time
 * that one of them waits for, so actions between two such times have the same time.
 */
export class ServiceTime {
  readonly #advance: Advance
  /** How far the service's clock is at least ahead of this machine's. */
  #offset = -Infinity
  /** What its clock is being moved to. */
  #goal: Timestamp = -Infinity
  #awake = 0
  #allAsleep: (() => void) | undefined
  readonly #timers: Array<Timer> = []
  #failure: { readonly error: unknown } | undefined

  constructor(advance: Advance) {
    this.#advance = advance
  }

  /** Returns the service's time, or a slightly earlier time. */
  now(): Timestamp {
    return Date.now() + this.#offset
  }

  /** Returns the service's time, or a later time, up to seconds that an answer took. */
  latest(): Timestamp {
    return Math.max(this.now(), this.#goal)
  }

  /** Learns that the service's clock has reached this time. */
  learn(at: Timestamp): void {
    this.#offset = Math.max(this.#offset, at - Date.now())
  }

  /** Waits until a moment of the service's clock; `exact` if a second later is too late. */
  until(at: Timestamp, exact = false): Promise<void> {
    if (at <= this.now()) return Promise.resolve()
    const rung = new Promise<void>((ring) => {
      const place = this.#timers.findLastIndex((timer) => timer.at <= at) + 1
      this.#timers.splice(place, 0, { at, exact, ring })
    })
    this.#asleep()
    return rung
  }

  /** Waits for so many milliseconds of the service's clock. */
  sleep(millis: number): Promise<void> {
    return this.until(this.now() + millis)
  }

  /** Plays several stories at the same time; returns when all have ended. */
  async together(stories: ReadonlyArray<() => Promise<void>>): Promise<void> {
    if (stories.length === 0) return
    // A waiting parent does not hold the clock, and continues from the last of its stories.
    this.#awake += stories.length - 1
    let left = stories.length
    const play = async (story: () => Promise<void>) => {
      await this.#play(story)
      left -= 1
      if (left > 0) this.#asleep()
    }
    await Promise.all(stories.map(play))
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Plays a story to its end and moves the clock for it. Throws the error of any part. */
  async run<A>(story: () => Promise<A>): Promise<A> {
    const results: Array<A> = []
    this.#awake += 1
    const play = async () => {
      results.push(await story())
    }
    void this.#play(play).then(() => this.#asleep())
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error
      if (this.#awake > 0) {
        await new Promise<void>((resolve) => (this.#allAsleep = resolve))
        continue
      }
      const [result] = results
      if (results.length > 0) return result as A
      await this.#goOn()
    }
  }

  /** Ends everything that plays; `run` throws the error. */
  stop(error: Error): void {
    this.#failure ??= { error }
    this.#allAsleep?.()
  }

  async #play(story: () => Promise<void>): Promise<void> {
    try {
      await story()
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  #asleep(): void {
    this.#awake -= 1
    if (this.#awake === 0) this.#allAsleep?.()
  }

  /** Moves the clock to the next waited-for moment, and wakes those who wait for it. */
  async #goOn(): Promise<void> {
    const [first] = this.#timers
    if (first === undefined) throw new Error("Everybody waits, and nobody for a time.")
    const seconds = (first.at - this.now()) / SECOND
    const whole = first.exact ? Math.floor(seconds) : Math.ceil(seconds)
    if (whole >= 1) {
      this.#goal = this.now() + whole * SECOND
      this.learn(await this.#advance(whole))
    }
    if (first.exact) await pause(Math.max(first.at - this.now(), 0))
    const now = Math.max(this.now(), first.at)
    const soon = now + (first.exact ? 0 : GRAIN)
    const later = this.#timers.findIndex(({ at, exact }) => at > (exact ? now : soon))
    const rung = this.#timers.splice(0, later === -1 ? this.#timers.length : later)
    this.#awake += rung.length
    for (const { ring } of rung) ring()
  }
}
