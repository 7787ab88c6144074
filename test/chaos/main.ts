import { makeProgress } from "../../apps/simulate/progress.ts"
import type { Result } from "./Chaos.ts"
import { HELP, type Options, type Part, readOptions } from "./options.ts"
import { explain } from "../support/commandLine.ts"
import { roundsOf, run } from "./run.ts"

/** The number of violations shown. */
const SHOWN = 20

const write = (text: string): void => void process.stderr.write(text)

const sentence = (result: Result): string => {
  const { acknowledged, back_after, part, put_off, rounds, seconds, violations } = result
  const middle = result.back_after_median
  const counts = `${rounds} rounds, ${acknowledged} requests acknowledged, ${put_off} put off`
  const back =
    back_after === 0 ? "" : `, back after ${back_after} ms at most, ${middle} in the median`
  const head = `${part}: ${counts}${back}, ${violations.length} violations (${seconds} s)`
  const rest = violations.length > SHOWN ? [`and ${violations.length - SHOWN} more`] : []
  return [head, ...violations.slice(0, SHOWN), ...rest].join("\n  ")
}

/** Tells the rounds of the part that runs, with the time that is left. */
const inOneLine = (options: Options) => {
  let progress: ReturnType<typeof makeProgress> | undefined
  const begin = (part: Part) => {
    progress?.end()
    write(`${part}\n`)
    progress = makeProgress(roundsOf(options, part), "rounds", write)
    return progress.tell
  }
  return { begin, end: () => progress?.end() }
}

/** Tells the rounds of parts that run at the same time in a line each. */
const inLines = (options: Options) => {
  const begin = (part: Part) => {
    write(`${part}\n`)
    return (done: number) => write(`${part}: ${done} of ${roundsOf(options, part)} rounds\n`)
  }
  return { begin, end: () => undefined }
}

const chaos = async (options: Options): Promise<void> => {
  const { begin, end } = options.beside === 1 ? inOneLine(options) : inLines(options)
  const results = await run(options, begin)
  end()
  const ok = results.every(({ violations }) => violations.length === 0)
  const text = options.json
    ? JSON.stringify({ ok, parts: results })
    : results.map(sentence).join("\n")
  process.stdout.write(`${text}\n`)
  if (!ok) process.exitCode = 1
}

// Each started program has a listener that ends it with this process, also after a signal.
process.setMaxListeners(100)
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1))

try {
  const options = readOptions(process.argv.slice(2))
  if (options === "help") process.stdout.write(HELP)
  else await chaos(options)
} catch (error) {
  write(`\nThe chaos ended without results: ${explain(error)}\n`)
  process.exitCode = 1
}
