import { expect, test, type TestContext } from "vitest"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import type { Report } from "../../../simulator/Report.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"

/** Which worlds are played, a test each. */
export interface WorldsOptions extends Omit<SimulateOptions, "seed">, TellOptions {
  /** The first seed; 1 without it. */
  readonly seed?: number
  /** How many seeds in a row; ten without it. */
  readonly seeds?: number
  /** How long a test may take, in milliseconds; a minute without it. */
  readonly timeout?: number
}

const SEEDS = 10
const PATIENCE = 60_000

/** The title of a seed's test, by which `vitest run -t` finds it. */
const titleOf = (name: string, seed: number): string => `${name}, seed ${seed}`

/** Defines a test for each seed. */
export const testEach = (
  name: string,
  { seed = 1, seeds = SEEDS, timeout = PATIENCE }: WorldsOptions,
  run: (seed: number, context: TestContext) => Promise<void>,
): void => {
  for (let n = seed; n < seed + seeds; n += 1) {
    test(titleOf(name, n), { timeout }, (context) => run(n, context))
  }
}

/** What of a test's context a world's file is attached by. */
export type Attaching = Pick<TestContext, "annotate" | "task">

/** Attaches the file of a world that does not hold to its test. */
export const attach = async (
  { annotate, task }: Attaching,
  report: Report,
  options: TellOptions,
): Promise<void> => {
  const failure = failureOf(report, options)
  if (failure === undefined) return
  await annotate(`npx vitest run -t ${JSON.stringify(`${task.name}$`)}`, "seed")
  const { file } = failure
  if (file === undefined) return
  await annotate(`npx payport simulate replay ${file}`, "run file", {
    path: file,
    contentType: "application/json",
  })
}

type Judge = (report: Report, context: TestContext) => void | Promise<void>

/** How a failure is told, of the options of a test. */
export const tellingOf = ({ folder, tries }: TellOptions): TellOptions => ({
  ...(folder !== undefined && { folder }),
  ...(tries !== undefined && { tries }),
})

/**
 * Defines a Vitest test for each seed, with the seed in its title: the world that it decides has to
 * hold, and `judge`, if there is one, may ask more of its report. The file of a world that does not
 * hold is attached to its test.
 *
 * ```ts
 * testWorlds("our store", { seeds: 20, intents: 8, alterations: { store } })
 * ```
 */
export const testWorlds = (name: string, options: WorldsOptions = {}, judge?: Judge): void => {
  testEach(name, options, async (seed, context) => {
    const report = simulate({ ...options, seed })
    const telling = tellingOf(options)
    await attach(context, report, telling)
    expect(report).toHold(telling)
    await judge?.(report, context)
  })
}
