import { resolve } from "node:path"
import { chosen, OptionError, parseOptions, whole } from "../support/commandLine.ts"
import { FIXES, type Fix } from "./withoutFix.ts"

/** The parts in their order, and their rounds at full size. */
export const FULL = {
  races: 500,
  service: 50,
  database: 50,
  failover: 10,
  patroni: 50,
  slow_disk: 20,
  full_disk: 20,
  lost_webhooks: 20,
  skewed_clock: 20,
  hang: 20,
  readonly: 20,
  connections: 20,
  replicas: 24,
  overload: 20,
  soak: 30,
} as const
export type Part = keyof typeof FULL
export const PARTS = Object.keys(FULL) as ReadonlyArray<Part>

/** Only root on Linux may mount the small disk that the part `full_disk` fills. */
const canMount = process.platform === "linux" && process.getuid?.() === 0

/** Parts that need programs outside npm, or take longer than all others. */
const ASKED: ReadonlySet<Part> = new Set(["patroni", "soak"])

/** Parts that measure what the service can do, which needs the machine for itself. */
export const MEASURING: ReadonlySet<Part> = new Set(["overload", "soak"])

/** The parts that run by default. */
const USUAL = PARTS.filter((part) => !ASKED.has(part) && (part !== "full_disk" || canMount))

export interface Options {
  readonly only: ReadonlySet<Part>
  /** The rounds of each part: of each race, and minutes of a soak. */
  readonly rounds: { readonly [P in Part]: number }
  /** The number of simultaneous requests in each round of a race. */
  readonly parallel: number
  /** Commits do not wait for the standby, so that failovers lose acknowledged changes. */
  readonly asynchronous: boolean
  /** The protection to disable, so that the part that tests it fails. */
  readonly without: Fix | undefined
  /** The number of clients that make payments during the trouble. */
  readonly clients: number
  /** The factor by which the service may be slower to recover than on a quiet machine. */
  readonly patience: number
  /** The number of parts that run at the same time, each with its own service and database. */
  readonly beside: number
  /** The program of the service. */
  readonly program: string
  readonly json: boolean
}

const OPTIONS = {
  only: { type: "string", default: USUAL.join(",") },
  rounds: { type: "string" },
  parallel: { type: "string", default: "50" },
  clients: { type: "string", default: "8" },
  patience: { type: "string", default: "1" },
  beside: { type: "string", default: "1" },
  program: {
    type: "string",
    default: resolve(import.meta.dirname, "../../dist/apps/server/main.js"),
  },
  asynchronous: { type: "boolean", default: false },
  without: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const

/** The text of `--help`. */
export const HELP = `Usage: npm run chaos -- [options]

Breaks the service and its PostgreSQL under load, and proves from the books that nothing that was
acknowledged is lost and that nothing happened twice.

  --only A,B      parts, of ${PARTS.join(", ")}
                  (all but patroni, which needs programs of Debian's, and soak; full_disk only for
                  root on Linux)
  --rounds N      rounds of each chosen part, of each of the eight races, or minutes of the soak
                  (${PARTS.map((part) => `${part} ${FULL[part]}`).join(", ")})
  --parallel N    requests that meet in each round of a race, from 10 (50)
  --clients N     clients that take payments while things are killed (8)
  --patience N    times as long as on a quiet machine the service may take to work again (1)
  --beside N      parts that run at the same time (1); overload and soak, which measure, run alone
  --asynchronous  nobody waits for the standby: shows that what failover then loses is found
  --without FIX   takes what a part is for out of the service, to show that the part then fails:
                  ${FIXES.join(", ")}
  --program FILE  the service, such as another version's (dist/apps/server/main.js)
  --json          one JSON object instead of sentences
  --help          this text

Progress goes to stderr, results to stdout. It exits with 1 when anything was lost or doubled, and
says what.
`

/** Returns the rounds of each part: the given number, or those at full size. */
export const roundsOf = (asked?: number): Options["rounds"] =>
  asked === undefined
    ? FULL
    : (Object.fromEntries(PARTS.map((part) => [part, asked])) as Options["rounds"])

const fixOf = (name: string | undefined): Fix | undefined => {
  const fix = FIXES.find((one) => one === name)
  if (fix !== undefined || name === undefined) return fix
  throw new OptionError(`--without knows no ${JSON.stringify(name)}, only ${FIXES.join(", ")}.`)
}

/** The options of a command line; "help" when only that is asked. Throws an `OptionError`. */
export const readOptions = (args: ReadonlyArray<string>): Options | "help" => {
  const values = parseOptions(args, OPTIONS)
  if (values.help) return "help"
  const { rounds } = values
  return {
    only: chosen(PARTS, values.only),
    // A limit of a day holds this many of a race; more would be refused for that alone.
    rounds: roundsOf(rounds === undefined ? undefined : whole("rounds", rounds, 1, 900)),
    parallel: whole("parallel", values.parallel, 10, 500),
    clients: whole("clients", values.clients, 1, 200),
    patience: whole("patience", values.patience, 1, 60),
    beside: whole("beside", values.beside, 1, PARTS.length),
    program: resolve(values.program),
    asynchronous: values.asynchronous,
    without: fixOf(values.without),
    json: values.json,
  }
}
