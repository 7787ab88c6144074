import { BadOptions } from "../commandLine.ts"
import { CannotPlay } from "../simulate/blackbox/HttpConnection.ts"
import { CannotMeasure } from "./CannotMeasure.ts"
import { type Measured, measure } from "./measure.ts"
import { type Options, readOptions, USAGE } from "./options.ts"
import { startSandbox } from "./ownSandbox.ts"

const textOf = ({ connections, latency_ms, load_cpu, rate, rates, url }: Measured): string =>
  [
    `${url}, ${connections} connections`,
    `  creations a second   ${Math.round(rate)}   (${rates.map(Math.round).join(", ")})`,
    `  milliseconds         p50 ${latency_ms.p50}, p99 ${latency_ms.p99}, most ${latency_ms.most}`,
    `  the load took        ${Math.round(100 * load_cpu)}% of a core`,
  ].join("\n")

const run = async (options: Options): Promise<void> => {
  const { json, place } = options
  const sandbox = place === undefined ? await startSandbox() : { ...place, stop: async () => {} }
  try {
    const measured = await measure(sandbox, options)
    process.stdout.write(`${json ? JSON.stringify(measured) : textOf(measured)}\n`)
  } finally {
    await sandbox.stop()
  }
}

const main = async (): Promise<number> => {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === undefined) process.stdout.write(USAGE)
    else await run(options)
    return 0
  } catch (error) {
    if (error instanceof BadOptions) {
      process.stderr.write(`${error.message} See payport bench --help.\n`)
      return 2
    }
    if (!(error instanceof CannotMeasure || error instanceof CannotPlay)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

process.exitCode = await main()
