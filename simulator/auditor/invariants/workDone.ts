// Written independently of core/work on purpose: see Model.ts.

import { DAY, MINUTE, SECOND, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A sandbox's clock that was moved over work that falls due. */
    readonly clock_moved: {
      readonly from: Timestamp
      readonly seconds: number
      /** When each piece of work is due. */
      readonly due: ReadonlyArray<Timestamp>
      /** Whether one piece stays due whatever is tried. */
      readonly isStuck: boolean
      readonly answer: { readonly now: string; readonly ran: number } | undefined
      readonly refused: string | undefined
      /** The times to which the clock was moved, and how often it waited before. */
      readonly moves: ReadonlyArray<Timestamp>
      readonly pauses: number
      /** How many pieces are left. */
      readonly left: number
    }
    /** A worker over a store of its own, until it is told to end. */
    readonly worker_watched: {
      /** Each piece of work: when it could be seen and was due, and when it was done. */
      readonly pieces: ReadonlyArray<{
        readonly due: Timestamp
        readonly done: Timestamp | undefined
      }>
      /** When the store was away. */
      readonly away: { readonly from: Timestamp; readonly to: Timestamp }
      /** When the worker was told to end, when its last piece would be done, and when it ended. */
      readonly told: Timestamp
      readonly busyUntil: Timestamp
      readonly ended: Timestamp
      /** How much work was begun after it was told to end. */
      readonly begunLater: number
    }
  }
}

/** No clock goes beyond the year 2099. */
const LATEST: Timestamp = 4_102_444_800_000

/** How often a clock waits for work that stays due, and how far it goes on without it. */
const PAUSES = 400
const FIRST_STEP = MINUTE

const movesOf = (from: Timestamp, target: Timestamp, due: ReadonlyArray<Timestamp>) => {
  const between = due.filter((at) => at > from && at < target)
  return [...new Set([...between, ...(target > from ? [target] : [])])].toSorted((a, b) => a - b)
}

/** Checks that a clock which cannot do its work goes on in steps that double, up to a day. */
const goesOn = (from: Timestamp, target: Timestamp, moves: ReadonlyArray<Timestamp>): Finding => {
  const steps = moves.map((at, n) => at - (moves[n - 1] ?? from))
  const wrong = steps.findIndex(
    (step, n) => step !== Math.min(FIRST_STEP * 2 ** n, DAY) && moves[n] !== target,
  )
  return wrong === -1 ? undefined : `goes on by ${steps.join(", ")} ms`
}

const moved: Rule<"clock_moved"> = (seen) => {
  const { answer, due, from, isStuck, left, moves, pauses, refused, seconds } = seen
  const target = from + seconds * SECOND
  if (target > LATEST) {
    const isLeft = moves.length === 0 && refused === "INVALID_REQUEST"
    return isLeft ? undefined : `goes beyond ${toIso(LATEST)}`
  }
  const doable = due.filter((at) => at <= target)
  const expected = { now: toIso(target), ran: doable.length }
  const differs = difference(expected, answer)
  if (differs !== undefined) return `is moved with ${differs}`
  if (left !== due.length - doable.length) return `leaves ${left} pieces of work`
  if (isStuck) {
    if (pauses !== PAUSES) return `waits ${pauses} times for work that stays due`
    return goesOn(from, target, moves)
  }
  if (pauses > 0) return `waits ${pauses} times for nothing`
  const wrong = difference(movesOf(from, target, due), moves)
  return wrong === undefined ? undefined : `stops otherwise than work falls due, with ${wrong}`
}

/** How late a worker sees work, and after a time in which it could not reach the store. */
const LATE = SECOND
const LATE_AFTER_OUTAGE = 5 * SECOND

/** How long a worker that was told to end waits for its work. */
const DRAINS = 8 * SECOND

const watched: Rule<"worker_watched"> = (seen) => {
  const { away, begunLater, busyUntil, ended, pieces, told } = seen
  for (const { done, due } of pieces) {
    const isMet = due <= away.to + LATE_AFTER_OUTAGE && due + LATE >= away.from
    const last = isMet ? Math.max(due + LATE, away.to + LATE_AFTER_OUTAGE) : due + LATE
    if (done === undefined && last < told) return `does not do what is due at ${toIso(due)}`
    if (done !== undefined && (done < due || done > last)) return `does work ${done - due} ms late`
  }
  if (begunLater > 0) return `begins ${begunLater} pieces of work after its end`
  const end = Math.max(told, Math.min(busyUntil, told + DRAINS))
  return ended === end ? undefined : `ends ${ended - told} ms later, not ${end - told}`
}

/** The rules about the work that falls due, and who does it. */
export const workDoneRules: Rulebook = {
  156: { clock_moved: moved, worker_watched: watched },
}
