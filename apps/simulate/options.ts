import { parseArgs } from "node:util"

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
  | { readonly type: "replay"; readonly file: string; readonly json: boolean }
  | { readonly type: "list" }
  | { readonly type: "help" }

/** How the command is to be called. */
export const USAGE = `Usage: npm run simulate -- [options]
       npm run simulate -- replay FILE [--json]

Plays payments in a world that a seed decides, with faults, and holds every step against the
invariants. The same options always give the same run.

  --seed N         the first seed, a whole number (default 1)
  --seeds N        how many seeds (default 1); several are run on several threads
  --intents N      how many payments a seed tries (default: what the scenario says, mostly 1000)
  --scenario X     a scenario by its name, or a .json, .yaml or .yml file that holds one
  --list           prints the scenarios
  --nightly        100000 seeds of 14 payments, unless other numbers are given
  --threads N      how many threads run seeds (default: as many as there are cores)
  --report FILE    writes a report as one HTML file
  --failures DIR   where failing seeds are written, reduced, to be replayed (default: here)
  --json           prints one JSON object instead of tables
  --help           prints this

  replay FILE      runs what such a file holds again and tells it step by step

It ends with 0 when every invariant held, with 1 when one did not, with 2 on a wrong option.
`

/** Options that cannot be run, in a sentence. */
export class BadOptions extends Error {
  override readonly name = "BadOptions"
}

const wholeNumber = (option: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
  throw new BadOptions(
    `--${option} has to be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`,
  )
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
      scenario: { type: "string" },
      threads: { type: "string" },
      report: { type: "string" },
      failures: { type: "string", default: "." },
      list: { type: "boolean", default: false },
      nightly: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })

type Values = ReturnType<typeof parse>["values"]

const runOf = (values: Values): RunOptions => {
  const counted = (option: "seeds" | "intents" | "threads", most: number) => {
    const text = values[option]
    return text === undefined ? undefined : wholeNumber(option, text, 1, most)
  }
  const night = values.nightly ? NIGHT : undefined
  return {
    type: "run",
    seed: wholeNumber("seed", values.seed, 0, Number.MAX_SAFE_INTEGER),
    seeds: counted("seeds", MOST) ?? night?.seeds ?? 1,
    intents: counted("intents", MOST) ?? night?.intents,
    scenario: values.scenario,
    threads: counted("threads", 64),
    report: values.report,
    failures: values.failures,
    json: values.json,
  }
}

/** Reads the command line. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>): Options => {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new BadOptions(said.split(". ")[0] ?? said, { cause: error })
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
