import { parseArgs } from "node:util"

/** What a run was asked for. */
export interface Options {
  readonly seed: number
  /** How many seeds in a row, from `seed` on. */
  readonly seeds: number
  readonly intents: number
  readonly json: boolean
}

/** How the command is to be called. */
export const USAGE = `Usage: npm run simulate -- [options]

Plays payments in a world that a seed decides, with faults, and holds every step against the
invariants. The same options always give the same run.

  --seed N      the first seed, a whole number (default 1)
  --seeds N     how many seeds, one after the other (default 1)
  --intents N   how many payments a seed tries (default 1000)
  --json        prints one JSON object instead of tables
  --help        prints this

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

const parse = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      seed: { type: "string", default: "1" },
      seeds: { type: "string", default: "1" },
      intents: { type: "string", default: "1000" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values

/** Reads the command line. Throws `BadOptions`; undefined when help is asked for. */
export const readOptions = (args: ReadonlyArray<string>): Options | undefined => {
  let values: ReturnType<typeof parse>
  try {
    values = parse(args)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new BadOptions(said.split(". ")[0] ?? said, { cause: error })
  }
  if (values.help) return undefined
  return {
    seed: wholeNumber("seed", values.seed, 0, Number.MAX_SAFE_INTEGER),
    seeds: wholeNumber("seeds", values.seeds, 1, 1_000_000),
    intents: wholeNumber("intents", values.intents, 1, 1_000_000),
    json: values.json,
  }
}
