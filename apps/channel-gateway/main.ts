import { randomBytes } from "node:crypto"
import { access, readFile, writeFile } from "node:fs/promises"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { anyText, baseUrl, readCommandLine, wholeNumber } from "../commandLine.ts"
import { startGateway } from "./gateway.ts"
import type { Agreement } from "./Protocol.ts"

const USAGE = `Usage: node apps/channel-gateway/main.ts [options]

Serves the simulator's channels over the protocol of adapters/channels/http, for trying live mode
on one machine. It keeps its books in memory.

  --port N        where to listen on 127.0.0.1 (4030)
  --service URL   where payport is, for callbacks (http://127.0.0.1:4020)
  --file PATH     what PAYPORT_CHANNELS is set to; written with new secrets if it is not there
                  (channels.json)
  --help          prints this

POST /wallet/{channel}/{payment}/{scan|pay|reject|settle} lets a payer act, and
POST /wallet/{channel}/{mandate}/{approve|revoke} lets a person decide about a mandate.
`

const OPTIONS = { port: wholeNumber(0, 65_535), service: baseUrl, file: anyText }

const token = (): string => randomBytes(24).toString("base64url")

interface File {
  readonly channels: { readonly [channel: string]: Agreement }
}

/** Writes the file of all channels, unless there is one. */
const provide = async (path: string, base_url: string): Promise<File> => {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (!exists) {
    const entries = defaultCatalog.map(({ id }): [string, object] => [
      id,
      { base_url, key_id: `payport-${id}`, secret: token(), callback_secret: token() },
    ])
    const text = JSON.stringify({ channels: Object.fromEntries(entries) }, null, 2)
    await writeFile(path, `${text}\n`, { mode: 0o600, flag: "wx" })
  }
  return JSON.parse(await readFile(path, "utf8")) as File
}

const main = async (): Promise<void> => {
  const given = readCommandLine(process.argv.slice(2), OPTIONS)?.given
  if (given === undefined) {
    process.stdout.write(USAGE)
    return
  }
  const { file = "channels.json", port = 4_030, service = "http://127.0.0.1:4020" } = given
  const { channels } = await provide(file, `http://127.0.0.1:${port}`)
  const gateway = await startGateway({ port, channels, service: () => service })
  process.stdout.write(`channel gateway ready on ${gateway.url}, agreed in ${file}\n`)
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 1
})
