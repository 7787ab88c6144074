import { parentPort } from "node:worker_threads"
import type { SentOptions, SentTry, Told } from "../../../../apps/simulate/batch/Thread.ts"

/** What may happen to a script, by the name of its scenario. */
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

// Answers a try without playing it: scripts with the given payment fail. The scenario names a
// mishap, the payments that a script needs for it, and whether it happens before the try begins.
const answerTry = ({ breaks, script }: SentTry, tell: (told: Told) => void): void => {
  const [what = "", many, before] = script.scenario.split(" ")
  const numbers = script.payments.map(({ number }) => number)
  const mishap = String(numbers.length) === many || numbers.join() === many
  if (mishap && before !== undefined) happen(what)
  tell({ type: "begins" })
  if (mishap) happen(what)
  tell({ type: "tried", fails: numbers.includes(breaks) })
}

// Of the worlds to play, those with an even seed exit.
parentPort?.on("message", (sent: SentOptions | SentTry) => {
  const tell = (told: Told) => parentPort?.postMessage(told, [])
  if ("breaks" in sent) return answerTry(sent, tell)
  const { seed } = sent
  tell({ type: "begins" })
  if (seed % 2 === 0) happen("exits")
  tell({ type: "broken", seed, how: "broke_down", message: "It plays nothing.", wall_ms: 1 })
})
