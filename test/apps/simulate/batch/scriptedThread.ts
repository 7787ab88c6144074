import { parentPort } from "node:worker_threads"
import type { SentOptions, SentTry, Told } from "../../../../apps/simulate/batch/Thread.ts"

/** What may happen with a script, as the name of its scenario says. */
export type Mishap = "exits" | "hoards" | "spins" | "throws"

const happen = (what: string): void => {
  switch (what) {
    case "exits":
      return process.exit(7)
    case "hoards": {
      const hoard: Array<object> = []
      for (;;) hoard.push({ hoard: hoard.length })
    }
    case "spins":
      for (;;);
    case "throws":
      throw new Error("This thread breaks.")
  }
}

// A thread that plays nothing: what fails has the payment that is looked for. The scenario names
// a mishap, and how many payments, or which, a script has that it happens to, before it begins or
// not.
const answerTry = ({ breaks, script }: SentTry, tell: (told: Told) => void): void => {
  const [what = "", many, before] = script.scenario.split(" ")
  const numbers = script.payments.map(({ number }) => number)
  const mishap = String(numbers.length) === many || numbers.join() === many
  if (mishap && before !== undefined) happen(what)
  tell({ type: "begins" })
  if (mishap) happen(what)
  tell({ type: "tried", fails: numbers.includes(breaks) })
}

// Of the worlds that are to be played, those with an even seed exit.
parentPort?.on("message", (sent: SentOptions | SentTry) => {
  const tell = (told: Told) => parentPort?.postMessage(told, [])
  if ("breaks" in sent) return answerTry(sent, tell)
  const { seed } = sent
  tell({ type: "begins" })
  if (seed % 2 === 0) happen("exits")
  tell({ type: "broken", seed, how: "broke_down", message: "It plays nothing.", wall_ms: 1 })
})
