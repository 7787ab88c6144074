import { followChanges } from "../../adapters/mcp/remoteService.ts"
import { remoteTools } from "../../adapters/mcp/remoteTools.ts"
import { openStdioServer } from "../../adapters/mcp/stdio.ts"
import { BadOptions, type Options, readOptions, USAGE } from "./options.ts"
import type { OwnService } from "./ownService.ts"

/** After the agent is gone, whatever still hangs is left behind. */
const LAST_MOMENT = 9_800

const say = (text: string) => void process.stderr.write(`${text.replaceAll(/\s+/g, " ").trim()}\n`)

const sayError = (error: unknown) => say(error instanceof Error ? error.message : String(error))

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000), redirect: "error" }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Starts a service of our own where none runs at the usual address. */
const makeSure = async ({ chosen, url }: Options): Promise<OwnService | undefined> => {
  if (chosen || (await answers(url))) return undefined
  say(`No payport answers at ${url}: starting a sandbox there.`)
  // All of the service is loaded only where it is run.
  const { startOwnService } = await import("./ownService.ts")
  return startOwnService().catch((error: unknown) => {
    sayError(error)
    return undefined
  })
}

const run = async (options: Options): Promise<void> => {
  const gone = new AbortController()
  const end = () => gone.abort()
  process.stdin.once("end", end).once("close", end)
  process.stdout.once("error", end)
  process.once("SIGINT", end).once("SIGTERM", end)

  const starting = makeSure(options)
  const service = { url: options.url, key: options.key }
  const tools = remoteTools(service)
  const door = openStdioServer(
    {
      list: async (cursor) => {
        await starting
        return tools.list(cursor)
      },
      call: async (name, args, caller) => {
        await starting
        return tools.call(name, args, caller)
      },
    },
    sayError,
  )
  await starting
  if (!gone.signal.aborted) await followChanges(service, door.toolsChanged, gone.signal)
  setTimeout(() => process.exit(1), LAST_MOMENT).unref()
  await door.close()
  await (await starting)?.stop()
}

const main = async (): Promise<number> => {
  if (process.argv.includes("--help")) {
    process.stdout.write(USAGE)
    return 0
  }
  try {
    await run(readOptions(process.env))
    return 0
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    say(error.message)
    return 2
  }
}

process.exit(await main())
