import { resolve } from "node:path"
import { chosen, parseOptions, whole } from "../support/commandLine.ts"

/** The parts in the order in which they are measured. */
export const PARTS = [
  "create",
  "get",
  "memory",
  "stored",
  "deliveries",
  "report",
  "search",
  "steps",
  "cost",
  "replicas",
  "doors",
  "402",
  "life",
  "peers",
  "medusa",
  "stall",
  "start",
  "fixture",
  "pages",
] as const
export type Part = (typeof PARTS)[number]

/** Parts that install packages from npm and therefore only run on request. */
const INSTALLING: ReadonlySet<Part> = new Set(["peers", "medusa"])

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly warmUp: number
  readonly connections: number
  readonly only: ReadonlySet<Part>
  /** The number of deliveries that are due at the same time. */
  readonly deliveries: number
  /** The number of payments in a round of whole lives. */
  readonly lives: number
  /** The number of manifests in the larger registry. */
  readonly manifests: number
  /** The folder of the scripts that measure the database alone. */
  readonly limits: string
  /** The program that is measured. */
  readonly service: string
  /** Another build that is measured in turns with the service; undefined for none. */
  readonly against: string | undefined
  /** The file for the CPU profile of the last part that has one; undefined for none. */
  readonly profile: string | undefined
  readonly json: boolean
}

const OPTIONS = {
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "8" },
  "warm-up": { type: "string", default: "8" },
  connections: { type: "string", default: "64" },
  deliveries: { type: "string", default: "100000" },
  lives: { type: "string", default: "2000" },
  manifests: { type: "string", default: "1000000" },
  only: { type: "string", default: PARTS.filter((part) => !INSTALLING.has(part)).join(",") },
  limits: { type: "string", default: resolve(import.meta.dirname, "limit") },
  service: {
    type: "string",
    default: resolve(import.meta.dirname, "../../dist/apps/server/main.js"),
  },
  against: { type: "string" },
  profile: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const

/** The text of `--help`. */
export const HELP = `Usage: npm run bench -- [options]

Measures the service on a PostgreSQL of its own, against what that database can do alone.

  --rounds N        rounds of each measurement, of which the median counts (5)
  --seconds N       seconds of each round (8)
  --warm-up N       seconds before the first round (8)
  --connections N   connections that the load comes over (64)
  --deliveries N    deliveries that fall due at once (100000)
  --lives N         payments in each round of whole lives (2000); Medusa lives a tenth of them
  --manifests N     manifests of the larger registry that is searched (1000000)
  --only A,B        parts to measure, of ${PARTS.join(", ")} (all but peers and
                    medusa, which install from npm into a temporary folder)
  --limits DIR      folder of limit-schema.sql, limit-seed.sql, limit-create.sql, limit-get.sql
                    and limit-transition.sql (test/bench/limit)
  --service FILE    program to measure, such as another version's (dist/apps/server/main.js)
  --against FILE    another build, which has rounds of cost, 402 and life, too
  --profile FILE    keeps the CPU profile of the last part, for a browser's developer tools
  --json            one JSON object instead of tables
  --help            this text

Progress goes to stderr, results to stdout. It exits with 1 when an answer was not what it had to
be, and with 0 whether targets are met or not.
`

/** The options of a command line; "help" when only that is asked. Throws an `OptionError`. */
export const readOptions = (args: ReadonlyArray<string>): Options | "help" => {
  const values = parseOptions(args, OPTIONS)
  if (values.help) return "help"
  return {
    rounds: whole("rounds", values.rounds, 1, 100),
    seconds: whole("seconds", values.seconds, 1, 3_600),
    warmUp: whole("warm-up", values["warm-up"], 0, 3_600),
    connections: whole("connections", values.connections, 1, 1_000),
    deliveries: whole("deliveries", values.deliveries, 1_000, 999_999),
    lives: whole("lives", values.lives, 100, 100_000),
    manifests: whole("manifests", values.manifests, 10_000, 10_000_000),
    only: chosen(PARTS, values.only),
    limits: resolve(values.limits),
    service: resolve(values.service),
    against: values.against === undefined ? undefined : resolve(values.against),
    profile: values.profile === undefined ? undefined : resolve(values.profile),
    json: values.json,
  }
}
