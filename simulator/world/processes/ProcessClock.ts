import { type Clock, Effect } from "effect"
import { REFUSE_BEYOND } from "../../../core/shared/ClockOffset.ts"
import { MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { SETTLES_AFTER } from "../../../core/work/guardedStore.ts"
import { JUMP } from "../../faults/serviceFaults.ts"
import type { Stage } from "../Stage.ts"

/** How long after its process a clock jumps, on average, and how long it stays there. */
const JUMPS_AFTER = MINUTE
const JUMPS_FOR = { shortest: MINUTE, longest: 10 * MINUTE } as const

const NANOSECONDS = 1_000_000n

interface Jump {
  readonly from: Timestamp
  readonly to: Timestamp
  readonly by: number
}

/**
 * The error of a process's clock. All clocks are right when the faults have ended. In half of the
 * worlds' watched clocks, the error is never so large that the process does nothing.
 */
export class ClockError {
  readonly #stage: Stage
  readonly #skew: number
  #jump: Jump | undefined
  #hasJumped = false
  /** Whether the process compares its clock with the store's. */
  readonly isWatched: boolean

  constructor(stage: Stage, name: string) {
    this.#stage = stage
    const { clock_jumped, clock_skew_ms, clock_unwatched } = stage.faults()
    this.isWatched =
      clock_unwatched === 0 || !stage.chance(`watch of ${name}`).hits(clock_unwatched)
    if (!this.isWatched) stage.log.note("clock_unwatched")
    if (clock_jumped === 0 && clock_skew_ms === 0) {
      this.#skew = 0
      return
    }
    const chance = stage.chance(`clock of ${name}`)
    const skew = clock_skew_ms > 0 ? chance.int(-Math.floor(clock_skew_ms), clock_skew_ms) : 0
    const within = this.isWatched && stage.chance(`bound of ${name}`).hits(0.5)
    this.#skew = within ? skew % REFUSE_BEYOND : skew
    if (this.#skew !== 0) stage.log.note("clock_skewed")
    if (!chance.hits(clock_jumped)) return
    const from = stage.now() + chance.wait(JUMPS_AFTER)
    const to = from + chance.int(JUMPS_FOR.shortest, JUMPS_FOR.longest)
    this.#jump = { from, to, by: chance.int(-JUMP, JUMP) }
  }

  /** Whether the clock is always right. */
  get isRight(): boolean {
    return this.#skew === 0 && this.#jump === undefined
  }

  /** How far the clock is ahead, in milliseconds; negative if it is behind. */
  readonly ahead = (): number => this.#aheadUntil(0)

  /**
   * The error that the process itself sees; it remembers a jump for a moment. A jump may also have
   * hidden that the clock is wrong: its end is seen at once.
   */
  readonly noticed = (): number => {
    const [now, remembered] = [this.ahead(), this.#aheadUntil(SETTLES_AFTER)]
    return Math.abs(now) > Math.abs(remembered) ? now : remembered
  }

  #aheadUntil(later: number): number {
    const { clock_jumped, clock_skew_ms } = this.#stage.faults()
    const skew = clock_skew_ms > 0 ? this.#skew : 0
    const jump = this.#jump
    const now = this.#stage.now()
    if (jump === undefined || clock_jumped === 0) return skew
    if (now < jump.from || now >= jump.to + later) return skew
    if (!this.#hasJumped) this.#stage.log.note("clock_jumped")
    this.#hasJumped = true
    return skew + jump.by
  }
}

const errors = new WeakMap<object, number>()

/** Returns the clock error of the process that asked for something, at that moment, if known. */
export const errorWhenAsked = (asked: object): number | undefined => errors.get(asked)

/** Returns the sender of a process. It notes the clock error with which each request is made. */
export const notingClockError = (
  sender: WebhookSender["Service"],
  { ahead }: ClockError,
): WebhookSender["Service"] => ({
  ...sender,
  send: (request) =>
    Effect.suspend(() => {
      errors.set(request, ahead())
      return sender.send(request)
    }),
})

/** A clock that is ahead of another; waiting by it takes the same time. */
export const clockAhead = (clock: Clock.Clock, ahead: () => number): Clock.Clock => {
  const millis = () => clock.currentTimeMillisUnsafe() + ahead()
  const nanos = () => BigInt(millis()) * NANOSECONDS
  return {
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
  }
}
