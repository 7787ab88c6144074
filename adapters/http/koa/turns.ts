/** The most requests that begin in one turn of the event loop. */
const PER_TURN = 8

/**
 * Begins requests in the order of their arrival, a few in each turn of the event loop. If a burst
 * began at once, answers of the database would wait until its end, and the database would be idle.
 */
export const makeTurns = (): ((begin: () => void) => void) => {
  let waiting: Array<() => void> = []
  let isArmed = false
  const arm = () => {
    isArmed = waiting.length > 0
    if (isArmed) setImmediate(turn)
  }
  const turn = () => {
    const now = waiting.slice(0, PER_TURN)
    waiting = waiting.slice(PER_TURN)
    arm()
    for (const begin of now) begin()
  }
  return (begin) => {
    waiting.push(begin)
    if (!isArmed) arm()
  }
}
