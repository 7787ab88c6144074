import { BadOptions } from "../commandLine.ts"
import { CannotPlay } from "./blackbox/HttpConnection.ts"
import { type ListOptions, type Options, readOptions, USAGE } from "./options.ts"
import { endWithParent, hasParent } from "./watch/endWithParent.ts"

const list = async ({ json, library }: ListOptions): Promise<string> => {
  const { listScenarios } = await import("./scenarioOf.ts")
  const scenarios = listScenarios(library)
  if (json) {
    const listed = scenarios.map(({ about, name, payments }) => ({ name, about, payments }))
    return `${JSON.stringify({ scenarios: listed })}\n`
  }
  const lines = scenarios.map(({ about, name }) => `${name.padEnd(28)} ${about}`)
  return [...lines, ""].join("\n")
}

const schema = async (): Promise<string> => {
  const { scenarioSchema } = await import("../../simulator/scenarios/scenarioSchema.ts")
  return `${JSON.stringify(scenarioSchema(), null, 2)}\n`
}

/** Each task loads what it needs, which for a run is the simulator. */
const perform = async (options: Options): Promise<number> => {
  switch (options.type) {
    case "run":
      return (await import("./run.ts")).run(options)
    case "blackbox":
      return (await import("./blackbox/run.ts")).runBlackbox(options)
    case "live_checks":
      return (await import("./blackbox/liveChecks.ts")).runLiveChecks(options)
    case "watch":
      return (await import("./watchRuns.ts")).watchRuns(options)
    case "replay":
      return (await import("./replay.ts")).replay(options.file, options.json)
    case "list":
      process.stdout.write(await list(options))
      return 0
    case "schema":
      process.stdout.write(await schema())
      return 0
    case "help":
      process.stdout.write(USAGE)
      return 0
  }
}

const main = async (): Promise<number> => {
  try {
    return await perform(readOptions(process.argv.slice(2)))
  } catch (error) {
    if (error instanceof CannotPlay) {
      process.stderr.write(`${error.message}\n`)
      return 1
    }
    if (!(error instanceof BadOptions)) throw error
    process.stderr.write(`${error.message} See payport simulate --help.\n`)
    return 2
  }
}

if (hasParent()) endWithParent()
process.exitCode = await main()
