import { accessSync, closeSync, constants, existsSync, openSync, readdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { parseArgs } from "node:util"
import { BadOptions } from "./BadOptions.ts"
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

/** How the command is to be called. */
export const USAGE = `Usage: npm run simulate -- [options]
       npm run simulate -- replay FILE [--json]
       npm run simulate -- --url URL --admin-key KEY [options]
       npm run simulate -- --url URL --live-checks [--key KEY] [options]

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

It ends with 0 when every invariant held, with 1 when one did not or a service cannot be played
with, with 2 on a wrong option.
`

const wholeNumber = (option: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
  throw new BadOptions(
    `--${option} has to be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`,
  )
}

/** Refuses at once where what comes of a run could not be written at its end. */
const refusing = (option: string, write: () => void): void => {
  try {
    write()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--${option} cannot be written: ${message}.`, { cause: error })
  }
}

/** The folder, or the one in which it would be made. */
const existing = (folder: string): string =>
  existsSync(folder) ? folder : existing(dirname(resolve(folder)))

const checkPlaces = ({ failures, report }: Values): void => {
  if (report !== undefined) refusing("report", () => closeSync(openSync(report, "a")))
  refusing("failures", () => readdirSync(existing(failures)))
  refusing("failures", () => accessSync(existing(failures), constants.W_OK))
}

const MOST = 1_000_000
const NIGHT = { seeds: 100_000, intents: 14 } as const

const parse = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      seeds: { type: "string" },
      intents: { type: "string" },
      payments: { type: "string" },
      scenario: { type: "string" },
      threads: { type: "string" },
      report: { type: "string" },
      failures: { type: "string", default: "." },
      list: { type: "boolean", default: false },
      nightly: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      ...BLACKBOX_OPTIONS,
    },
  })

type Values = ReturnType<typeof parse>["values"]

const runOf = (values: Values): RunOptions | BlackboxRun | LiveChecks => {
  const counted = (option: "seeds" | "intents" | "payments" | "threads", most: number) => {
    const text = values[option]
    return text === undefined ? undefined : wholeNumber(option, text, 1, most)
  }
  const night = values.nightly ? NIGHT : undefined
  const { failures, json, report, scenario } = values
  checkPlaces(values)
  const seed = wholeNumber("seed", values.seed, 0, Number.MAX_SAFE_INTEGER)
  const intents = counted("payments", MOST) ?? counted("intents", MOST)
  const outside = readBlackbox(values, { seed, intents, scenario, report, json })
  if (outside !== undefined) return outside
  return {
    type: "run",
    seed,
    seeds: counted("seeds", MOST) ?? night?.seeds ?? 1,
    intents: intents ?? night?.intents,
    scenario,
    threads: counted("threads", 64),
    report,
    failures,
    json,
  }
}

/** Reads the command line. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>): Options => {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(message.split(". ")[0] ?? message, { cause: error })
  }
  const { positionals, values } = parsed
  const [command, file, ...others] = positionals
  if (values.help) return { type: "help" }
  if (values.list) return { type: "list" }
  if (command === undefined) return runOf(values)
  if (command !== "replay") throw new BadOptions(`There is no command ${JSON.stringify(command)}.`)
  if (file === undefined || others.length > 0) throw new BadOptions("replay wants one file.")
  return { type: "replay", file, json: values.json }
}
