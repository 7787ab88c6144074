import { accessSync, constants, existsSync, readdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { anyText, BadOptions, type Given, readCommandLine, wholeNumber } from "../commandLine.ts"
import {
  MACHINE_OPTIONS,
  MACHINE_USAGE,
  type MachineReports,
  readMachineReports,
} from "../reports/machineReports.ts"
import { TRIES } from "../../simulator/shrinking/shrink.ts"
import type { Effort } from "./failures.ts"
import type { ScenarioChoice } from "./scenarioOf.ts"
import {
  BLACKBOX_OPTIONS,
  type BlackboxRun,
  type LiveChecks,
  readBlackbox,
} from "./blackbox/options.ts"

/** The options of a run. */
export interface RunOptions extends ScenarioChoice {
  readonly type: "run"
  readonly seed: number
  /** How many seeds in a row, from `seed` on. */
  readonly seeds: number
  /** How many payments each plays; as many as the scenario says if undefined. */
  readonly intents: number | undefined
  readonly threads: number | undefined
  /** Whether no other seed begins once one has failed. */
  readonly bail: boolean
  /** After how many seconds of real time an unfinished world is given up. */
  readonly world_timeout: number | undefined
  /** The path of the report. */
  readonly report: string | undefined
  readonly machines: MachineReports
  /** The folder of the failing seeds' files. */
  readonly failures: string
  readonly effort: Effort
  readonly json: boolean
}

/** The options of repeated runs. */
export interface WatchOptions extends ScenarioChoice {
  readonly type: "watch"
  /** The arguments of each run. */
  readonly args: ReadonlyArray<string>
}

/** The options of the list of scenarios. */
export interface ListOptions {
  readonly type: "list"
  readonly library: string | undefined
  readonly json: boolean
}

/** The task of the command. */
export type Options =
  | RunOptions
  | WatchOptions
  | BlackboxRun
  | LiveChecks
  | { readonly type: "replay"; readonly file: string; readonly json: boolean }
  | ListOptions
  | { readonly type: "schema" }
  | { readonly type: "help" }

const MOST = 1_000_000
const EFFORT = { tries: TRIES, seconds: 60 } as const
const NIGHT = { seeds: 100_000, intents: 14, world_timeout: 600 } as const

/** The text of `--help`. */
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
  --set NAME=VALUE sets a variable of a scenario's file; several as NAME=VALUE,NAME=VALUE, or again
  --library DIR    a folder of scenarios that --scenario, "extends" and --list know by their names
  --list           prints the scenarios
  --schema         prints the JSON Schema of scenarios' files, for editors
  --nightly        100000 seeds of 14 payments with a --world-timeout of 600, unless other numbers
                   are given
  --threads N      how many threads run seeds, and reduce those that fail (default: as many as there
                   are cores); what comes of them is the same
  --report FILE    writes a report as one HTML file
${MACHINE_USAGE.replaceAll(/^(  .{15}) {4}/gm, "$1")}\
  --bail           begins no other seed once one has failed; those under way are still played
  --world-timeout S
                   gives a world up that has not ended after so many seconds of real time, with
                   its seed and its last step, and goes on with the next (default: never)
  --watch          plays again whenever the scenario's file or a file of the core or the simulator
                   changes, and says in a few lines what came of it; Ctrl-C ends it
  --failures DIR   where failing seeds are written, reduced, to be replayed (default: here)
  --shrink-tries N, --shrink-seconds S
                   how many smaller worlds are tried to reduce a failing seed, and for how many
                   seconds of real time (default: ${EFFORT.tries} and ${EFFORT.seconds})
  --json           prints one JSON object instead of tables; with --list {"scenarios"}, each with
                   its "name", "about" and "payments"
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
  --seed, --scenario, --set, --library, --payments (default: 100 at most), --report, --junit, --tap,
  --github, --json as above; a service is no simulated world, and no two runs are the same

  --live-checks    only reads, whatever the mode: GET requests alone, nothing is changed
  --key KEY        the account whose payments, books and deliveries are looked at

Example:
  payport simulate --seeds 200 --intents 14 --json

It ends with 0 when every invariant held, with 1 when one did not or a service cannot be played
with, with 2 on a wrong option, with 3 when none broke and a world was given up after its time, and
with 130 when it was interrupted.
`

const OPTIONS = {
  // With as many seeds after it as there may be, each is still an exact number.
  seed: wholeNumber(0, 999_999_999_999_999),
  seeds: wholeNumber(1, MOST),
  intents: wholeNumber(1, MOST),
  payments: wholeNumber(1, MOST),
  scenario: anyText,
  set: "texts",
  library: anyText,
  list: "flag",
  schema: "flag",
  nightly: "flag",
  threads: wholeNumber(1, 64),
  bail: "flag",
  watch: "flag",
  "world-timeout": wholeNumber(1, 86_400),
  report: anyText,
  ...MACHINE_OPTIONS,
  failures: anyText,
  "shrink-tries": wholeNumber(1, MOST),
  "shrink-seconds": wholeNumber(1, 86_400),
  json: "flag",
  ...BLACKBOX_OPTIONS,
} as const

/** Fails at once if the results of a run could not be written at its end. */
const refusing = (name: string, write: () => void): void => {
  try {
    write()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--${name} cannot be written: ${message}.`, { cause: error })
  }
}

/** Returns the folder, or the existing folder in which it would be made. */
const existing = (folder: string): string =>
  existsSync(folder) ? folder : existing(dirname(resolve(folder)))

const checkFolder = (failures: string): void => {
  refusing("failures", () => readdirSync(existing(failures)))
  refusing("failures", () => accessSync(existing(failures), constants.W_OK))
}

const choiceOf = ({ library, scenario, set }: Given<typeof OPTIONS>): ScenarioChoice => ({
  scenario,
  library,
  // Another comma is a part of a text.
  set: set.flatMap((given) => given.split(/,(?=\w+=)/)),
})

type AllGiven = Given<typeof OPTIONS>
type OptionName = keyof AllGiven

/** The options of a simulated world, which no running service is played with. */
const OF_WORLDS: ReadonlyArray<OptionName> = [
  "seeds",
  "nightly",
  "threads",
  "bail",
  "world-timeout",
  "failures",
  "shrink-tries",
  "shrink-seconds",
]

/** The options of what is played, beside which checks that only read play nothing. */
const OF_PLAYS: ReadonlyArray<OptionName> = [
  "seed",
  "intents",
  "payments",
  "scenario",
  "set",
  "library",
  "admin-key",
  "seller-key",
  "buyer-key",
  "receiver-port",
  "receiver-url",
]

const isGiven = (value: AllGiven[OptionName]): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false

/** Refuses options that would have no effect, since a run without them would mislead. */
const refuseIdle = (given: AllGiven, names: ReadonlyArray<OptionName>, what: string): void => {
  const idle = names.find((name) => isGiven(given[name]))
  if (idle !== undefined) throw new BadOptions(`--${idle} has no effect ${what}: leave it out.`)
}

const refuseAllIdle = (given: AllGiven): void => {
  if (given.url === undefined) return
  if (given["live-checks"]) refuseIdle(given, OF_PLAYS, "on --live-checks, which play nothing")
  refuseIdle(given, OF_WORLDS, "on a running service (--url), which is played once")
}

const runOf = (given: AllGiven): RunOptions | BlackboxRun | LiveChecks => {
  refuseAllIdle(given)
  if (given.payments !== undefined && given.intents !== undefined) {
    throw new BadOptions("--payments and --intents are the same: give one of them.")
  }
  const night = given.nightly ? NIGHT : undefined
  const { bail, failures = ".", json, report, seed = 1, threads } = given
  const choice = choiceOf(given)
  checkFolder(failures)
  const machines = readMachineReports(given, [["report", report]])
  const intents = given.payments ?? given.intents
  const outside = readBlackbox(given, { seed, intents, ...choice, report, machines, json })
  if (outside !== undefined) return outside
  return {
    type: "run",
    seed,
    seeds: given.seeds ?? night?.seeds ?? 1,
    intents: intents ?? night?.intents,
    ...choice,
    threads,
    bail,
    world_timeout: given["world-timeout"] ?? night?.world_timeout,
    report,
    machines,
    failures,
    effort: {
      tries: given["shrink-tries"] ?? EFFORT.tries,
      seconds: given["shrink-seconds"] ?? EFFORT.seconds,
    },
    json,
  }
}

const watchOf = (args: ReadonlyArray<string>, given: AllGiven): WatchOptions => {
  const other = (["json", "github", "url"] as const).find((name) => given[name])
  if (other !== undefined) {
    throw new BadOptions(`--watch plays simulated worlds and prints short lines: no --${other}.`)
  }
  runOf(given)
  const each = args.filter((arg) => arg !== "--watch")
  return { type: "watch", args: each, ...choiceOf(given) }
}

/** Reads the command line. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>): Options => {
  const read = readCommandLine(args, OPTIONS, true)
  if (read === undefined) return { type: "help" }
  const { given, positionals } = read
  const [command, file, ...others] = positionals
  if (given.list) return { type: "list", library: given.library, json: given.json }
  if (given.schema) return { type: "schema" }
  if (command === undefined && given.watch) return watchOf(args, given)
  if (command === undefined) return runOf(given)
  if (command !== "replay") throw new BadOptions(`There is no command ${JSON.stringify(command)}.`)
  if (file === undefined || others.length > 0) throw new BadOptions("replay wants one file.")
  const idle = (Object.keys(OPTIONS) as ReadonlyArray<OptionName>).filter((name) => name !== "json")
  refuseIdle(given, idle, "on replay, which plays what its file holds")
  return { type: "replay", file, json: given.json }
}
