/** The pause after the first failure, and the longest, in milliseconds. */
const FIRST = 50
const LONGEST = 500

/**
 * Milliseconds until a connection is tried again after that many failures in a row: twice as many
 * after each, up to half a second, so that a server that is back is found at once. `chance`, from 0
 * to 1, takes up to a half of it away: processes that lost the same server do not come back in one
 * moment.
 */
export const pauseAfter = (failures: number, chance: number): number =>
  Math.min(LONGEST, FIRST * 2 ** (failures - 1)) * (1 - chance / 2)
