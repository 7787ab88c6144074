/** Between two lines of progress, in milliseconds of real time. */
const EVERY = 500

const seconds = (millis: number): string =>
  millis < 120_000 ? `${(millis / 1_000).toFixed(1)} s` : `${Math.round(millis / 60_000)} min`

/** Prints a run's progress with its rate and remaining time on standard error. */
export const makeProgress = (
  total: number,
  what: "payments" | "seeds" | "rounds",
  write: (text: string) => void,
) => {
  const started = performance.now()
  let last = started
  let written = false
  return {
    /** Prints how many of all are done. */
    tell: (done: number): void => {
      const now = performance.now()
      if (now - last < EVERY || done === 0) return
      last = now
      written = true
      const rate = done / ((now - started) / 1_000)
      const left = seconds(((total - done) / rate) * 1_000)
      const shown = rate < 10 ? rate.toFixed(1) : String(Math.round(rate))
      write(`\r${done} of ${total} ${what}, ${shown}/s, ${left} left   `)
    },
    /** Prints another text in the line. */
    say: (text: string): void => {
      written = true
      write(`\r\u001B[2K${text}`)
    },
    /** Clears the line. */
    end: (): void => {
      if (written) write("\r\u001B[2K")
    },
  }
}
