import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { BadOptions } from "../commandLine.ts"
import { nameOf } from "../connectionFailure.ts"
import { openProxy, type Proxy } from "./openProxy.ts"
import { type Options, readOptions, USAGE } from "./options.ts"
import { Recording } from "./Recording.ts"
import { scenarioFrom } from "./scenarioFrom.ts"
import { describeRecording, recordingText } from "./summary.ts"
import { writeScenario } from "./writeScenario.ts"

/** There is nothing to record, or nothing to write. */
class CannotRecord extends Error {
  override readonly name = "CannotRecord"
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

const open = async ({ port, target }: Options, recording: Recording): Promise<Proxy> => {
  const hear = recording.add.bind(recording)
  const fail = (why: string) => recording.leave(`requests that were not forwarded: ${why}`)
  try {
    return await openProxy(target, port, hear, fail)
  } catch (error) {
    const message = `Port ${port} cannot be listened on: ${nameOf(error)}. Give another by --port.`
    throw new CannotRecord(message, { cause: error })
  }
}

/** Ends at the first signal; a second one ends the process. */
const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        resolve()
        process.once(signal, () => process.exit(1))
      })
    }
    // It stops if the reader of its output goes away.
    process.stdout.on("error", () => resolve())
  })

const write = (out: string, scenario: Scenario): void => {
  try {
    writeScenario(out, scenario)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CannotRecord(`The recording is lost: ${out} cannot be written: ${why}.`, {
      cause: error,
    })
  }
}

const run = async (options: Options): Promise<number> => {
  const { json, name, out, target } = options
  const recording = new Recording()
  const proxy = await open(options, recording)
  const end = stopped()
  print(
    json
      ? JSON.stringify({ ready: proxy.url })
      : `Send requests to ${proxy.url} instead of ${target}. Ctrl+C writes ${out}.`,
  )
  await end
  await proxy.close()
  const scenario = scenarioFrom(recording, name)
  if (scenario === undefined) {
    throw new CannotRecord("No payment was made, so no file was written.")
  }
  write(out, scenario)
  print(
    json
      ? JSON.stringify(describeRecording(scenario, recording, out))
      : recordingText(scenario, recording, out),
  )
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
      process.stderr.write(`${error.message} See payport record --help.\n`)
      return 2
    }
    if (!(error instanceof CannotRecord)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

process.exitCode = await main()
