import { readFile } from "node:fs/promises"
import { join } from "node:path"

/** The text of `--help`. */
export const USAGE = `Usage: payport mcp [--market] [--json]

Serves the tools of a payport to an agent on stdin and stdout: one tool for each way to pay each
service, or with --market ten tools that find and pay any service. Environment variables:

  PAYPORT_URL       the service's URL (default http://127.0.0.1:4020; if no service runs there,
                    a sandbox is started, with the settings of npm start)
  PAYPORT_API_KEY   the API key that pays (default: the key of the demo buyer, from the data
                    folder of the sandbox on this machine)
  PAYPORT_DATA_DIR  the data folder (default .payport)

  --market          serves the ten tools of /mcp/market, for more than a few services
  --json            prints problems as JSON to stderr, one object {"said"} a line; stdout only
                    has JSON-RPC in any case
  --help            prints this text

Example:
  claude mcp add pay -- npx --yes @payport/server mcp --market

It ends with 0 when stdin ends, with 2 for an invalid setting or option. In the repository, run
npm run --silent mcp: without --silent, npm prints a line that agents do not understand.
`

/** The settings of the command. */
export interface Options {
  readonly url: string
  /** Whether the URL was set, and is not the default. */
  readonly chosen: boolean
  readonly key: () => Promise<string | undefined>
}

/** Wrong settings; the message says what they have to be. */
export class BadOptions extends Error {}

type Environment = { readonly [name: string]: string | undefined }

const USUAL = "http://127.0.0.1:4020"

const serviceUrl = (text: string): URL => {
  const url = URL.parse(text)
  const sound = url !== null && /^https?:$/.test(url.protocol) && url.search === ""
  if (sound && url.username === "" && url.hash === "") return url
  throw new BadOptions("PAYPORT_URL must be the URL of a payport, such as http://127.0.0.1:4020.")
}

const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"])

/** The URL of this machine's service. The port 0 is any, which nobody knows yet. */
const usual = ({ PAYPORT_PORT: port = "" }: Environment): string => {
  if (port === "" || port === "0") return USUAL
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535) return `http://127.0.0.1:${port}`
  throw new BadOptions("PAYPORT_PORT must be a port from 0 to 65535, such as 4020.")
}

/** Reads the environment. Throws `BadOptions`. */
export const readOptions = (environment: Environment): Options => {
  const given = environment["PAYPORT_URL"]
  const chosen = given !== undefined && given !== ""
  const url = serviceUrl(chosen ? given : usual(environment))
  const set = environment["PAYPORT_API_KEY"]
  if (set !== undefined && !/^[\x21-\x7e]*$/.test(set)) {
    throw new BadOptions("PAYPORT_API_KEY must be an API key, without spaces.")
  }
  const file = join(environment["PAYPORT_DATA_DIR"] ?? ".payport", "demo-buyer.key")
  return {
    url: url.href.replace(/\/+$/, ""),
    chosen,
    key: async () => {
      if (set !== undefined && set !== "") return set
      // The key of this machine's sandbox is sent only to this machine.
      if (!LOCAL.has(url.hostname)) return undefined
      return readFile(file, "utf8").then(
        (text) => text.trim(),
        () => undefined,
      )
    },
  }
}
