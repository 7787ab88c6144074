import { makeProgress } from "../../apps/simulate/progress.ts"
import type { Result } from "./Chaos.ts"
import { HELP, type Options, readOptions } from "./options.ts"
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

const chaos = async (options: Options): Promise<void> => {
  let progress: ReturnType<typeof makeProgress> | undefined
  const results = await run(options, (part) => {
    progress?.end()
    write(`${part}\n`)
    progress = makeProgress(roundsOf(options, part), "rounds", write)
    return progress.tell
  })
  progress?.end()
  const ok = results.every(({ violations }) => violations.length === 0)
  const text = options.json
    ? JSON.stringify({ ok, parts: results })
    : results.map(sentence).join("\n")
  process.stdout.write(`${text}\n`)
  if (!ok) process.exitCode = 1
}

// Ends the started programs with this process, also after a signal.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1))

try {
  const options = readOptions(process.argv.slice(2))
  if (options === "help") process.stdout.write(HELP)
  else await chaos(options)
} catch (error) {
  write(`\nThe chaos ended without results: ${explain(error)}\n`)
  process.exitCode = 1
}
