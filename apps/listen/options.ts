import { randomBytes } from "node:crypto"
import { EVENT_TYPES } from "../../core/webhooks/events/Event.ts"
import { nearestOf } from "../../core/shared/Nearest.ts"
import { baseUrl, readCommandLine, required, refused, visible, webUrl } from "../commandLine.ts"

/** Where to begin in the log: with the next event, after an event, or at a time (milliseconds). */
export type Since =
  | { readonly kind: "now" }
  | { readonly kind: "event"; readonly id: string }
  | { readonly kind: "time"; readonly at: number }

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

const sinceOf = (name: string, text: string): Since => {
  if (/^evt_[\w-]+$/.test(text)) return { kind: "event", id: text }
  const at = Date.parse(text)
  if (TIME.test(text) && !Number.isNaN(at)) return { kind: "time", at }
  throw refused(name, "an event's id or a time such as 2026-03-01T12:00:00Z", text)
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

const typesOf = (name: string, text: string): ReadonlySet<string> => {
  const types = text.split(",").map((type) => type.trim())
  const odd = types.find((type) => !KNOWN.has(type))
  if (odd === undefined) return new Set(types)
  const near = nearestOf(odd, EVENT_TYPES) ?? "payment_intent.succeeded"
  throw refused(name, `types of events such as ${near}`, odd)
}

/** The text of `--help`. */
export const USAGE = `Usage: payport listen --key KEY --forward URL [options]

Follows an account's event log and posts each event, signed like a webhook, to a receiver that the
service itself cannot reach, such as one on this machine. Events are posted one after the other.
While the receiver is down, they wait. After a 5xx, 3xx or 401 an event is posted up to 5 times,
after any other 4xx once.

  --key KEY        the account's API key
  --forward URL    the receiver, such as http://localhost:3000/hook
  --url URL        the service (default http://127.0.0.1:4020)
  --secret SECRET  signs the deliveries (default: a new one, which is printed)
  --types A,B      forwards only these types (default: all)
  --since WHEN     begins after the event with this id, or at a time such as 2026-03-01T12:00:00Z
                   (default: now)
  --json           prints one JSON object a line
  --help           prints this

Example:
  payport listen --key "$(cat .payport/demo-seller.key)" --forward http://localhost:3000/hook

It ends with 0 at Ctrl+C, with 1 if the key is wrong or the service cannot be reached at the start,
with 2 on a wrong option.
`

const OPTIONS = {
  url: baseUrl,
  key: visible,
  forward: webUrl("http://localhost:3000/hook"),
  secret: visible,
  types: typesOf,
  since: sinceOf,
  json: "flag",
} as const

/** Reads the command line; undefined for `--help`. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>) => {
  const given = readCommandLine(args, OPTIONS)?.given
  return (
    given && {
      ...given,
      key: required("key", given.key),
      forward: required("forward", given.forward).href,
      url: given.url ?? "http://127.0.0.1:4020",
      /** Signs what is forwarded. */
      secret: given.secret ?? `whsec_${randomBytes(32).toString("base64url")}`,
      since: given.since ?? ({ kind: "now" } as const satisfies Since),
    }
  )
}

/** The options of the command; without types, all are forwarded. */
export type Options = NonNullable<ReturnType<typeof readOptions>>
