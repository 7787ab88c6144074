import { BadOptions } from "../BadOptions.ts"
import type { Keys } from "./populate.ts"

/** A scenario that is to be played against a service. */
export interface BlackboxRun {
  readonly type: "blackbox"
  /** Without a slash at its end. */
  readonly url: string
  readonly keys: Keys
  readonly seed: number
  readonly intents: number | undefined
  readonly scenario: string | undefined
  readonly receiver_port: number
  readonly receiver_url: string | undefined
  readonly report: string | undefined
  readonly json: boolean
}

/** Checks that only read, in whatever mode the service is. */
export interface LiveChecks {
  readonly type: "live_checks"
  readonly url: string
  /** The key of the account that is looked at; without it, only what is open to everybody is. */
  readonly key: string | undefined
  readonly report: string | undefined
  readonly json: boolean
}

/** The options of both, as they are written. */
export const BLACKBOX_OPTIONS = {
  url: { type: "string" },
  "admin-key": { type: "string" },
  "seller-key": { type: "string" },
  "buyer-key": { type: "string" },
  key: { type: "string" },
  "live-checks": { type: "boolean", default: false },
  "receiver-port": { type: "string" },
  "receiver-url": { type: "string" },
} as const

/** What was written of them. */
export type BlackboxValues = {
  readonly [O in keyof typeof BLACKBOX_OPTIONS]?: string | boolean | undefined
}

const webUrl = (option: string, text: string): string => {
  const url = URL.parse(text)
  const sound = url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/]/i.test(text)
  if (sound && url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "")
  throw new BadOptions(
    `--${option} has to be a URL such as http://127.0.0.1:4020, not ${JSON.stringify(text)}.`,
  )
}

const text = (values: BlackboxValues, option: keyof BlackboxValues): string | undefined => {
  const value = values[option]
  if (typeof value !== "string") return undefined
  if (option.endsWith("key") && !/^[\x21-\x7e]+$/.test(value)) {
    throw new BadOptions(`--${option} has to be visible ASCII characters without blanks.`)
  }
  return value
}

const keysOf = (values: BlackboxValues): Keys => {
  const admin = text(values, "admin-key")
  const [seller, buyer] = [text(values, "seller-key"), text(values, "buyer-key")]
  if (admin !== undefined) return { type: "operator", admin }
  if (seller !== undefined && buyer !== undefined) return { type: "accounts", seller, buyer }
  throw new BadOptions(
    "--url wants --admin-key, with which accounts are opened, or --seller-key and --buyer-key.",
  )
}

const portOf = (values: BlackboxValues): number => {
  const written = text(values, "receiver-port") ?? "0"
  const port = Number(written)
  if (/^\d{1,5}$/.test(written) && port <= 65_535) return port
  throw new BadOptions(`--receiver-port has to be from 0 to 65535, not ${JSON.stringify(written)}.`)
}

type Common = Pick<BlackboxRun, "seed" | "intents" | "scenario" | "report" | "json">

/** Reads the options of a run against a service; undefined where none is asked for. */
export const readBlackbox = (
  values: BlackboxValues,
  common: Common,
): BlackboxRun | LiveChecks | undefined => {
  const written = Object.keys(BLACKBOX_OPTIONS).filter(
    (option) => (values[option as keyof BlackboxValues] ?? false) !== false,
  )
  const address = text(values, "url")
  if (address === undefined) {
    if (written.length === 0) return undefined
    throw new BadOptions(`--${written[0]} wants --url, the service that it is about.`)
  }
  const url = webUrl("url", address)
  const { json, report } = common
  if (values["live-checks"] === true) {
    return { type: "live_checks", url, key: text(values, "key"), report, json }
  }
  if (text(values, "key") !== undefined) {
    throw new BadOptions("--key is for --live-checks; a run wants --admin-key, or both others.")
  }
  const receiver = text(values, "receiver-url")
  return {
    type: "blackbox",
    url,
    keys: keysOf(values),
    ...common,
    receiver_port: portOf(values),
    receiver_url: receiver === undefined ? undefined : webUrl("receiver-url", receiver),
  }
}
