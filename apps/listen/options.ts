import { randomBytes } from "node:crypto"
import { parseArgs } from "node:util"

/** Where to begin in the log: with the next event, after an event, or at a time (milliseconds). */
export type Since =
  | { readonly kind: "now" }
  | { readonly kind: "event"; readonly id: string }
  | { readonly kind: "time"; readonly at: number }

/** The options of the command. */
export interface Options {
  /** The service, without a slash at the end. */
  readonly url: string
  readonly key: string
  readonly forward: string
  /** Signs what is forwarded. */
  readonly secret: string
  /** The types that are forwarded; undefined is all. */
  readonly types: ReadonlySet<string> | undefined
  readonly since: Since
  readonly json: boolean
}

/** The text of `--help`. */
export const USAGE = `Usage: npm run listen -- --key KEY --forward URL [options]

Follows an account's event log and posts each event, signed like a webhook, to a receiver that the
service itself cannot reach, such as one on this machine. Events are posted one after the other.
While the receiver is down they wait; a 5xx, 3xx or 401 is tried 5 times, any other 4xx once.

  --key KEY        the account's API key
  --forward URL    the receiver, such as http://localhost:3000/hook
  --url URL        the service (default http://127.0.0.1:4020)
  --secret SECRET  signs the deliveries (default: a new one, which is printed)
  --types A,B      forwards only these types (default: all)
  --since WHEN     an event's id, to begin after it, or a time such as 2026-03-01T12:00:00Z
                   (default: what happens from now on)
  --json           prints a JSON object a line
  --help           prints this

Ctrl+C ends it, with 0. It ends with 1 when the key is wrong or the service cannot be reached at the
start, with 2 on a wrong option.
`

/** Wrong options; the message says what they have to be. */
export class BadOptions extends Error {
  override readonly name = "BadOptions"
}

const parse = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      url: { type: "string", default: "http://127.0.0.1:4020" },
      key: { type: "string" },
      forward: { type: "string" },
      secret: { type: "string" },
      types: { type: "string" },
      since: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values

const required = (option: string, value: string | undefined): string => {
  if (value !== undefined && value !== "") return value
  throw new BadOptions(`--${option} is missing.`)
}

const webUrl = (option: string, text: string): string => {
  const url = URL.parse(text)
  const sound = url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/]/i.test(text)
  if (sound && url.port !== "0") return url.href
  throw new BadOptions(
    `--${option} has to be a URL such as http://localhost:3000/hook, not ${JSON.stringify(text)}.`,
  )
}

const visible = (option: string, text: string): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new BadOptions(`--${option} has to be visible ASCII characters without blanks.`)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

const sinceOf = (text: string | undefined): Since => {
  if (text === undefined) return { kind: "now" }
  if (/^evt_[\w-]+$/.test(text)) return { kind: "event", id: text }
  const at = Date.parse(text)
  if (TIME.test(text) && !Number.isNaN(at)) return { kind: "time", at }
  const wanted = "an event's id or a time such as 2026-03-01T12:00:00Z"
  throw new BadOptions(`--since has to be ${wanted}, not ${JSON.stringify(text)}.`)
}

const typesOf = (text: string | undefined): ReadonlySet<string> | undefined => {
  if (text === undefined) return undefined
  const types = text.split(",").map((type) => type.trim())
  const odd = types.find((type) => !/^[a-z_.]+$/.test(type))
  if (odd === undefined) return new Set(types)
  const given = JSON.stringify(odd)
  throw new BadOptions(`--types has to be names such as payment_intent.succeeded, not ${given}.`)
}

/** Reads the command line; undefined for `--help`. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>): Options | undefined => {
  let values: ReturnType<typeof parse>
  try {
    values = parse(args)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(message.split(". ")[0] ?? message, { cause: error })
  }
  if (values.help) return undefined
  return {
    key: visible("key", required("key", values.key)),
    forward: webUrl("forward", required("forward", values.forward)),
    url: webUrl("url", values.url).replace(/\/+$/, ""),
    secret: visible("secret", values.secret ?? `whsec_${randomBytes(32).toString("base64url")}`),
    types: typesOf(values.types),
    since: sinceOf(values.since),
    json: values.json,
  }
}
