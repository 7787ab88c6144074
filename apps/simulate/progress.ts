import type { Progress } from "../../simulator/simulate.ts"

/** Between two lines of progress, in milliseconds of real time. */
const EVERY = 500

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`

/** Tells how a run gets on, with its rate and the time that is left, on standard error. */
export const makeProgress = (total: number, write: (text: string) => void) => {
  const started = performance.now()
  let last = started
  let before = 0
  let written = false
  return {
    /** Hears of one seed's progress. */
    tell: (seed: number, { done }: Progress): void => {
      const now = performance.now()
      if (now - last < EVERY) return
      last = now
      written = true
      const all = before + done
      const rate = all / ((now - started) / 1_000)
      write(
        `\rseed ${seed}: ${all} of ${total} payments, ${Math.round(rate)}/s, ` +
          `${seconds(((total - all) / rate) * 1_000)} left   `,
      )
    },
    /** A seed is done, with so many payments. */
    add: (intents: number): void => {
      before += intents
    },
    /** Clears the line. */
    end: (): void => {
      if (written) write("\r\u001B[2K")
    },
  }
}
