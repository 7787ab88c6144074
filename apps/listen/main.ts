import { CannotListen } from "./eventLog.ts"
import { listen } from "./listen.ts"
import { BadOptions } from "../commandLine.ts"
import { type Options, readOptions, USAGE } from "./options.ts"
import { makeReport } from "./report.ts"

const run = async (options: Options): Promise<number> => {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  // It stops when the reader of its output goes away.
  process.stdout.on("error", stop)
  const report = makeReport(options.json, (line) => void process.stdout.write(`${line}\n`))
  await listen(options, report, stopping.signal)
  return 0
}

const main = async (): Promise<number> => {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options !== undefined) return await run(options)
    process.stdout.write(USAGE)
    return 0
  } catch (error) {
    if (error instanceof BadOptions) {
      process.stderr.write(`${error.message} See --help.\n`)
      return 2
    }
    if (!(error instanceof CannotListen)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

process.exitCode = await main()
