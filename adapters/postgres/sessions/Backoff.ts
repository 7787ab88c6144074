/** The pause after the first failure, and the longest, in milliseconds. */
const FIRST = 50
const LONGEST = 500

/**
 * Returns the milliseconds until a connection is tried again after that many failures in a row. The
 * pause doubles up to half a second, so that a server that returns is found soon. `chance`, from 0
 * to 1, shortens it by up to a half, so that processes that lost the same server do not reconnect
 * at the same moment.
 */
export const pauseAfter = (failures: number, chance: number): number =>
  Math.min(LONGEST, FIRST * 2 ** (failures - 1)) * (1 - chance / 2)
