import { type Door, MARKET, SERVICES } from "../../adapters/mcp/doors.ts"
import { followChanges, type RemoteService } from "../../adapters/mcp/remoteService.ts"
import { remoteTools } from "../../adapters/mcp/remoteTools.ts"
import { openStdioServer } from "../../adapters/mcp/stdio.ts"
import { BadOptions, type Options, readOptions, USAGE } from "./options.ts"
import type { OwnService } from "./ownService.ts"

/** Milliseconds after the agent left, after which the process exits whatever still runs. */
const LAST_MOMENT = 9_800

const FLAGS = ["--json", "--help", "--market"]
const given = process.argv.slice(2)

const print = (text: string) => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  process.stderr.write(`${given.includes("--json") ? JSON.stringify({ said: line }) : line}\n`)
}

const printError = (error: unknown) => print(error instanceof Error ? error.message : String(error))

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000), redirect: "error" }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Starts a service unless one runs at the default address. */
const ensureService = async ({ chosen, url }: Options): Promise<OwnService | undefined> => {
  if (chosen || (await answers(url))) return undefined
  print(`No payport answers at ${url}. Starting a sandbox there.`)
  // The service is loaded only when it is started.
  const { startOwnService } = await import("./ownService.ts")
  return startOwnService().catch((error: unknown) => {
    printError(error)
    return undefined
  })
}

/** Notifies the agent of changes until it leaves. If the list never changes, it only waits. */
const follow = async (
  service: RemoteService,
  { changes }: Door,
  changed: () => void,
  gone: AbortSignal,
): Promise<void> => {
  if (gone.aborted) return
  if (changes) return followChanges(service, changed, gone)
  await new Promise<void>((resolve) => gone.addEventListener("abort", () => resolve()))
}

const run = async (options: Options): Promise<void> => {
  const gone = new AbortController()
  const end = () => gone.abort()
  process.stdin.once("end", end).once("close", end)
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      end()
      resolve()
    }
    process.stdout.once("error", stop)
    process.once("SIGINT", stop).once("SIGTERM", stop)
  })

  const starting = ensureService(options)
  const door = given.includes("--market") ? MARKET : SERVICES
  const service = { url: options.url, path: door.path, key: options.key }
  const tools = remoteTools(service)
  const server = openStdioServer(
    door,
    {
      list: async (cursor) => {
        await starting
        return tools.list(cursor)
      },
      call: async (call, caller, cancelled) => {
        await starting
        return tools.call(call, caller, cancelled)
      },
    },
    printError,
  )
  await starting
  await follow(service, door, server.toolsChanged, gone.signal)
  await Promise.race([server.answered(), stopped])
  setTimeout(() => process.exit(1), LAST_MOMENT).unref()
  await server.close()
  await (await starting)?.stop()
}

const main = async (): Promise<number> => {
  if (given.includes("--help")) {
    process.stdout.write(USAGE)
    return 0
  }
  const unknown = given.find((arg) => !FLAGS.includes(arg))
  try {
    if (unknown !== undefined)
      throw new BadOptions(`payport mcp has no option ${unknown}. See --help.`)
    await run(readOptions(process.env))
    return 0
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    print(error.message)
    return 2
  }
}

process.exit(await main())
