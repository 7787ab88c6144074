// Written independently of core/work on purpose: see Model.ts.

import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"

/** A use of the store by a process that watches its clock. */
interface Use {
  readonly at: Timestamp
  /** How far the clock was ahead of the store's, as the process knew it, in milliseconds. */
  readonly ahead: number
  /** Whether the store's own clock was set too short a time ago for the process to know. */
  readonly isUnsure: boolean
  /** When the clock was wrong last, as far as nothing is unsure. */
  readonly lastWrong: Timestamp
  /** When this process used the store last with a wrong clock. */
  readonly lastRefused: Timestamp
  /** Why the store was not used; undefined if it was. */
  readonly refused: { readonly trouble: unknown; readonly words: string } | undefined
  /** How far ahead due work was claimed. */
  readonly claimed: number | undefined
}

declare module "../Observation.ts" {
  interface Observations {
    /** All uses of the store by a process that watches its clock, from its start. */
    readonly clock_watched: {
      readonly startedAhead: number
      readonly refusesToStart: string | undefined
      readonly uses: ReadonlyArray<Use>
    }
  }
}

/** A clock is wrong from then on, and has to be right for so long before it is trusted again. */
const WRONG_BEYOND = 30 * SECOND
const TRUSTED_AFTER = 10 * SECOND

const wordsOf = (ahead: number): string => {
  const seconds = Math.round(Math.abs(ahead) / SECOND)
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  const size = minutes > 0 ? `${minutes} min ${rest} s` : `${seconds} s`
  return `This process's clock is ${size} ${ahead < 0 ? "behind" : "ahead of"} the database's.`
}

const flawOf = (use: Use): Finding => {
  const { ahead, at, claimed, isUnsure, lastRefused, lastWrong, refused } = use
  if (refused !== undefined && refused.trouble !== "clock") return `is away: ${refused.words}`
  if (isUnsure) return undefined
  const isWrong = Math.abs(ahead) > WRONG_BEYOND
  if (refused === undefined) {
    if (isWrong) return `is used by a clock that is ${ahead} ms ahead`
    if (at - lastRefused < TRUSTED_AFTER) return `is used ${at - lastRefused} ms after a wrong time`
    return claimed === ahead ? undefined : `claims work as of ${claimed}, not ${ahead} ms ahead`
  }
  if (isWrong) {
    const words = wordsOf(ahead)
    return refused.words === words ? undefined : `is refused with ${refused.words}, not ${words}`
  }
  return at - lastWrong < TRUSTED_AFTER ? undefined : `is refused to a clock ${ahead} ms ahead`
}

const watched = (seen: Observations["clock_watched"]): Finding => {
  const { refusesToStart, startedAhead, uses } = seen
  const due = Math.abs(startedAhead) > WRONG_BEYOND ? wordsOf(startedAhead) : undefined
  if (refusesToStart !== due) return `starts with ${refusesToStart}, not ${due}`
  return uses.map(flawOf).find((flaw) => flaw !== undefined)
}

/** The rules about processes that watch their clocks. */
export const watchedClockRules: Rulebook = { 141: { clock_watched: watched } }
