import { expect, test, type TestContext } from "vitest"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import type { Report } from "../../../simulator/Report.ts"
import { shellArgument } from "../../shellArgument.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"

/** The worlds to play, one test each. */
export interface WorldsOptions extends Omit<SimulateOptions, "seed">, TellOptions {
  /** The first seed; 1 by default. */
  readonly seed?: number
  /** How many seeds in a row; ten by default. */
  readonly seeds?: number
  /** Time limit of a test, in milliseconds; a minute by default. */
  readonly timeout?: number
}

const SEEDS = 10
const PATIENCE = 60_000

/** The title of a seed's test, for `vitest run -t`. */
const titleOf = (name: string, seed: number): string => `${name}, seed ${seed}`

/** Without this, a number that is none would define no test, and nothing would fail. */
const refuse = (option: string, wanted: string, value: number): never => {
  throw new RangeError(`The option ${option} has to be a whole number${wanted}, not ${value}.`)
}

/** Defines a test for each seed. Throws `RangeError` for seeds that are no whole numbers. */
export const testEach = (
  name: string,
  { seed = 1, seeds = SEEDS, timeout = PATIENCE }: WorldsOptions,
  run: (seed: number, context: TestContext) => Promise<void>,
): void => {
  if (!Number.isSafeInteger(seed)) refuse("seed", "", seed)
  if (!Number.isSafeInteger(seeds) || seeds < 1) refuse("seeds", " of at least 1", seeds)
  for (let n = seed; n < seed + seeds; n += 1) {
    test(titleOf(name, n), { timeout }, (context) => run(n, context))
  }
}

/** The members of a test's context that attach a world's file. */
export type Attaching = Pick<TestContext, "annotate" | "task">

/** Returns the file and the names of a test, the same on every machine. */
const testNameOf = ({ file, name, suite }: Attaching["task"]): string => {
  const names = [name]
  for (let above = suite; above !== undefined; above = above.suite) names.unshift(above.name)
  return [file.name, ...names].join(" ")
}

/** Returns the pattern of a text, readable, which `RegExp.escape` is not. */
const plainPattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")

/** Attaches the file of a failing world to its test. */
export const attach = async (
  { annotate, task }: Attaching,
  report: Report,
  options: TellOptions,
): Promise<void> => {
  const failure = failureOf(report, options, testNameOf(task))
  if (failure === undefined) return
  await annotate(`npx vitest run -t ${shellArgument(`${plainPattern(task.name)}$`)}`, "seed")
  const { file } = failure
  if (file === undefined) return
  await annotate(`npx payport simulate replay ${shellArgument(file)}`, "run file", {
    path: file,
    contentType: "application/json",
  })
}

type Judge = (report: Report, context: TestContext) => void | Promise<void>

/** Returns how to report a failure, from the options of a test. */
export const tellingOf = ({ folder, tries }: TellOptions): TellOptions => ({
  ...(folder !== undefined && { folder }),
  ...(tries !== undefined && { tries }),
})

/** Returns the options of the world itself, from those of a test. */
export const worldOf = <O extends WorldsOptions>({
  folder: _folder,
  seeds: _seeds,
  timeout: _timeout,
  tries: _tries,
  ...world
}: O) => world

/**
 * Defines a Vitest test for each seed, with the seed in its title. All invariants of the seed's
 * world have to hold, and `judge`, if given, may check more of its report. The file of a failing
 * world is attached to its test.
 *
 * ```ts
 * testWorlds("our store", { seeds: 20, intents: 8, alterations: { store } })
 * ```
 */
export const testWorlds = (name: string, options: WorldsOptions = {}, judge?: Judge): void => {
  testEach(name, options, async (seed, context) => {
    const report = simulate({ ...worldOf(options), seed })
    const telling = tellingOf(options)
    await attach(context, report, telling)
    expect(report).toHold(telling)
    await judge?.(report, context)
  })
}
