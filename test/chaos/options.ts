import { resolve } from "node:path"
import { chosen, parseOptions, whole } from "../support/commandLine.ts"

/** What can be broken, in the order in which it is. */
export const PARTS = [
  "races",
  "service",
  "database",
  "failover",
  "slow_disk",
  "full_disk",
  "lost_webhooks",
  "skewed_clock",
  "hang",
  "readonly",
  "connections",
  "overload",
  "soak",
] as const
export type Part = (typeof PARTS)[number]

/** A disk that is full is a small one of its own, which only root may mount, on Linux. */
const canMount = process.platform === "linux" && process.getuid?.() === 0

/** What is done unless something else is asked for: a soak takes longer than all the others. */
const USUAL = PARTS.filter((part) => part !== "soak" && (part !== "full_disk" || canMount))

export interface Options {
  readonly only: ReadonlySet<Part>
  /** Rounds of each race, and how many requests meet in each. */
  readonly rounds: number
  readonly parallel: number
  /** How often the service is killed, the database is killed, and a standby takes over. */
  readonly service: number
  readonly database: number
  readonly failover: number
  /** How often each of the troubles that no process ends of begins and is put right. */
  readonly troubles: number
  /** How often the database hangs, takes no writes, has no connections, or is asked too much. */
  readonly hang: number
  readonly readonly: number
  readonly connections: number
  readonly overload: number
  /** Creations a second that come while the database hangs. */
  readonly flood: number
  /** How many minutes a steady load lasts. */
  readonly soak: number
  /** Nobody waits for the standby, which falls behind: failovers lose what was acknowledged. */
  readonly asynchronous: boolean
  /** Clients that take payments while things are killed. */
  readonly clients: number
  /** The program of the service. */
  readonly program: string
  readonly json: boolean
}

const OPTIONS = {
  only: { type: "string", default: USUAL.join(",") },
  rounds: { type: "string", default: "500" },
  parallel: { type: "string", default: "50" },
  service: { type: "string", default: "50" },
  database: { type: "string", default: "50" },
  failover: { type: "string", default: "10" },
  troubles: { type: "string", default: "20" },
  hang: { type: "string", default: "3" },
  readonly: { type: "string", default: "20" },
  connections: { type: "string", default: "20" },
  overload: { type: "string", default: "1" },
  flood: { type: "string", default: "250" },
  soak: { type: "string", default: "30" },
  clients: { type: "string", default: "8" },
  program: {
    type: "string",
    default: resolve(import.meta.dirname, "../../dist/apps/server/main.js"),
  },
  asynchronous: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const

/** What `--help` says. */
export const HELP = `Usage: npm run chaos -- [options]

Breaks the service and its PostgreSQL under load, and proves from the books that nothing that was
acknowledged is lost and that nothing happened twice.

  --only A,B      parts, of ${PARTS.join(", ")}
                  (all but soak, and full_disk only for root on Linux)
  --rounds N      rounds of each of the eight races (500)
  --parallel N    requests that meet in each round, from 10 (50)
  --service N     how often the service is ended by kill -9 (50)
  --database N    how often the database is ended by kill -9 (50)
  --failover N    how often the primary dies and its synchronous standby takes over (10)
  --troubles N    how often the disk is slow or full, webhooks are lost, and a clock is
                  wrong (20)
  --hang N        how often the database says nothing, for 5, 20 or 60 s in turn (3)
  --readonly N    how often the database takes no writes for a while (20)
  --connections N how often the database has no connections left for a while (20)
  --overload N    how often ten times the capacity is asked for (1)
  --flood N       creations a second that come while the database hangs (250)
  --soak N        minutes of a steady load, after which nothing may have grown (30)
  --clients N     clients that take payments while things are killed (8)
  --asynchronous  nobody waits for the standby: shows that what failover then loses is found
  --program FILE  the service, such as another version's (dist/apps/server/main.js)
  --json          one JSON object instead of sentences
  --help          this text

Progress goes to stderr, results to stdout. It exits with 1 when anything was lost or doubled, and
says what.
`

/** The options of a command line; "help" when only that is asked. Throws an `OptionError`. */
export const readOptions = (args: ReadonlyArray<string>): Options | "help" => {
  const values = parseOptions(args, OPTIONS)
  if (values.help) return "help"
  return {
    only: chosen(PARTS, values.only),
    // The cap and the limit of a day hold this many; more would be refused for that alone.
    rounds: whole("rounds", values.rounds, 1, 900),
    parallel: whole("parallel", values.parallel, 10, 500),
    service: whole("service", values.service, 1, 10_000),
    database: whole("database", values.database, 1, 10_000),
    failover: whole("failover", values.failover, 1, 1_000),
    troubles: whole("troubles", values.troubles, 1, 1_000),
    hang: whole("hang", values.hang, 1, 1_000),
    readonly: whole("readonly", values.readonly, 1, 1_000),
    connections: whole("connections", values.connections, 1, 1_000),
    overload: whole("overload", values.overload, 1, 1_000),
    flood: whole("flood", values.flood, 1, 10_000),
    soak: whole("soak", values.soak, 1, 10_000),
    clients: whole("clients", values.clients, 1, 200),
    program: resolve(values.program),
    asynchronous: values.asynchronous,
    json: values.json,
  }
}
