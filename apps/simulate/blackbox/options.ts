import { BadOptions, baseUrl, type Given, visible, wholeNumber } from "../../commandLine.ts"
import type { MachineReports } from "../../reports/machineReports.ts"
import type { ScenarioChoice } from "../scenarioOf.ts"
import type { Keys } from "./populate.ts"

interface Common extends ScenarioChoice {
  readonly seed: number
  readonly intents: number | undefined
  readonly report: string | undefined
  readonly machines: MachineReports
  readonly json: boolean
}

/** A scenario to be played against a service. */
export interface BlackboxRun extends Common {
  readonly type: "blackbox"
  /** Without a slash at its end. */
  readonly url: string
  readonly keys: Keys
  readonly receiver_port: number
  readonly receiver_url: string | undefined
}

/** Checks with reads only, in any mode of the service. */
export interface LiveChecks extends Pick<Common, "report" | "machines" | "json"> {
  readonly type: "live_checks"
  readonly url: string
  /** The key of the account to check; without it, only what is open to everybody is checked. */
  readonly key: string | undefined
}

/** The options of both, as they are written. */
export const BLACKBOX_OPTIONS = {
  url: baseUrl,
  "admin-key": visible,
  "seller-key": visible,
  "buyer-key": visible,
  key: visible,
  "live-checks": "flag",
  "receiver-port": wholeNumber(0, 65_535),
  "receiver-url": baseUrl,
} as const

type BlackboxGiven = Given<typeof BLACKBOX_OPTIONS>

const keysOf = (given: BlackboxGiven): Keys => {
  const { "admin-key": admin, "buyer-key": buyer, "seller-key": seller } = given
  if (admin !== undefined) return { type: "operator", admin }
  if (seller !== undefined && buyer !== undefined) return { type: "accounts", seller, buyer }
  throw new BadOptions(
    "--url wants --admin-key, with which accounts are opened, or --seller-key and --buyer-key.",
  )
}

/** Reads the options about a service; undefined if none of them is given. */
export const readBlackbox = (
  given: BlackboxGiven,
  common: Common,
): BlackboxRun | LiveChecks | undefined => {
  const { key, url } = given
  if (url === undefined) {
    const names = Object.keys(BLACKBOX_OPTIONS) as ReadonlyArray<keyof BlackboxGiven>
    const written = names.find((name) => given[name] !== undefined && given[name] !== false)
    if (written === undefined) return undefined
    throw new BadOptions(`--${written} wants --url, the service that it is about.`)
  }
  const { json, machines, report } = common
  if (given["live-checks"]) return { type: "live_checks", url, key, report, machines, json }
  if (key !== undefined) {
    throw new BadOptions("--key is for --live-checks; a run wants --admin-key, or both others.")
  }
  return {
    type: "blackbox",
    url,
    keys: keysOf(given),
    ...common,
    receiver_port: given["receiver-port"] ?? 0,
    receiver_url: given["receiver-url"],
  }
}
