import { accessSync, closeSync, constants, existsSync, openSync, readdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { anyText, BadOptions, type Given, readCommandLine, wholeNumber } from "../commandLine.ts"
import {
  BLACKBOX_OPTIONS,
  type BlackboxRun,
  type LiveChecks,
  readBlackbox,
} from "./blackbox/options.ts"

/** What a run was asked for. */
export interface RunOptions {
  readonly type: "run"
  readonly seed: number
  /** How many seeds in a row, from `seed` on. */
  readonly seeds: number
  /** How many payments each tries; as many as the scenario says where it is undefined. */
  readonly intents: number | undefined
  /** The name of a scenario, or a file that holds one. */
  readonly scenario: string | undefined
  readonly threads: number | undefined
  /** Whether no other seed begins once one has failed. */
  readonly bail: boolean
  /** Where the report is written to. */
  readonly report: string | undefined
  /** The folder in which failing seeds are written down. */
  readonly failures: string
  readonly json: boolean
}

/** What the command is to do. */
export type Options =
  | RunOptions
  | BlackboxRun
  | LiveChecks
  | { readonly type: "replay"; readonly file: string; readonly json: boolean }
  | { readonly type: "list" }
  | { readonly type: "help" }

const MOST = 1_000_000
const NIGHT = { seeds: 100_000, intents: 14 } as const

/** How the command is to be called. */
export const USAGE = `Usage: payport simulate [options]
       payport simulate replay FILE [--json]
       payport simulate --url URL --admin-key KEY [options]
       payport simulate --url URL --live-checks [--key KEY] [options]

Plays payments in a world that a seed decides, with faults, and holds every step against the
invariants. The same options always give the same run.

  --seed N         the first seed, a whole number (default 1)
  --seeds N        how many seeds (default 1); several are run on several threads
  --intents N      how many payments a seed tries (default: what the scenario says, mostly 1000);
                   --payments N is the same
  --scenario X     a scenario by its name, or a .json, .yaml or .yml file that holds one
  --list           prints the scenarios
  --nightly        100000 seeds of 14 payments, unless other numbers are given
  --threads N      how many threads run seeds (default: as many as there are cores)
  --report FILE    writes a report as one HTML file
  --bail           begins no other seed once one has failed; those under way are still played
  --failures DIR   where failing seeds are written, reduced, to be replayed (default: here)
  --json           prints one JSON object instead of tables
  --help           prints this

  replay FILE      runs what such a file holds again and tells it step by step

Against a running service, in sandbox mode: the same payers, sellers and scenarios over HTTP, with
receivers of webhooks on loopback, judged by what can be seen from outside. It opens accounts of its
own, switches the channels' faults and moves the sandbox's clock, about a week for everybody.

  --url URL        the service, such as http://127.0.0.1:4020
  --admin-key KEY  the operator's key, with which accounts are opened
  --seller-key KEY, --buyer-key KEY
                   instead of it: the accounts that play
  --receiver-port N, --receiver-url URL
                   where the receivers listen on loopback, and where the service reaches them
  --seed, --scenario, --payments (default: 100 at most), --report, --json
                   as above; a service is no simulated world, and no two runs are the same

  --live-checks    only reads, whatever the mode: GET requests alone, nothing is changed
  --key KEY        the account whose payments, books and deliveries are looked at

Example:
  payport simulate --seeds 200 --intents 14 --json

It ends with 0 when every invariant held, with 1 when one did not or a service cannot be played
with, with 2 on a wrong option.
`

const OPTIONS = {
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  seeds: wholeNumber(1, MOST),
  intents: wholeNumber(1, MOST),
  payments: wholeNumber(1, MOST),
  scenario: anyText,
  list: "flag",
  nightly: "flag",
  threads: wholeNumber(1, 64),
  bail: "flag",
  report: anyText,
  failures: anyText,
  json: "flag",
  ...BLACKBOX_OPTIONS,
} as const

/** Refuses at once where what comes of a run could not be written at its end. */
const refusing = (name: string, write: () => void): void => {
  try {
    write()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--${name} cannot be written: ${message}.`, { cause: error })
  }
}

/** The folder, or the one in which it would be made. */
const existing = (folder: string): string =>
  existsSync(folder) ? folder : existing(dirname(resolve(folder)))

const checkPlaces = (failures: string, report: string | undefined): void => {
  if (report !== undefined) refusing("report", () => closeSync(openSync(report, "a")))
  refusing("failures", () => readdirSync(existing(failures)))
  refusing("failures", () => accessSync(existing(failures), constants.W_OK))
}

const runOf = (given: Given<typeof OPTIONS>): RunOptions | BlackboxRun | LiveChecks => {
  const night = given.nightly ? NIGHT : undefined
  const { bail, failures = ".", json, report, scenario, seed = 1, threads } = given
  checkPlaces(failures, report)
  const intents = given.payments ?? given.intents
  const outside = readBlackbox(given, { seed, intents, scenario, report, json })
  if (outside !== undefined) return outside
  return {
    type: "run",
    seed,
    seeds: given.seeds ?? night?.seeds ?? 1,
    intents: intents ?? night?.intents,
    scenario,
    threads,
    bail,
    report,
    failures,
    json,
  }
}

/** Reads the command line. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>): Options => {
  const read = readCommandLine(args, OPTIONS, true)
  if (read === undefined) return { type: "help" }
  const { given, positionals } = read
  const [command, file, ...others] = positionals
  if (given.list) return { type: "list" }
  if (command === undefined) return runOf(given)
  if (command !== "replay") throw new BadOptions(`There is no command ${JSON.stringify(command)}.`)
  if (file === undefined || others.length > 0) throw new BadOptions("replay wants one file.")
  return { type: "replay", file, json: given.json }
}
