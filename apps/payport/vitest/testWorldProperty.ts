import type * as FastCheck from "fast-check"
import { type Faults, NO_FAULTS, WORST } from "../../../simulator/faults/Faults.ts"
import { simulate, type SimulateOptions } from "../../../simulator/perform.ts"
import { isSound, type Report } from "../../../simulator/Report.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"
import {
  attach,
  type Attaching,
  tellingOf,
  testEach,
  worldOf,
  type WorldsOptions,
} from "./testWorlds.ts"

/** The worlds of a property. */
export interface PropertyOptions extends Omit<WorldsOptions, "crashes" | "faults"> {
  /** How many worlds are tried for each seed; ten by default. */
  readonly runs?: number
  /** The path from fast-check's failure report, to start there. */
  readonly path?: string
}

type Arbitraries = Pick<typeof FastCheck, "integer" | "record" | "subarray">

const RUNS = 10
const PAYMENTS = 8
const FAULTS_ON = 6

const NAMES = Object.keys(WORST) as Array<keyof Faults>

const onlyFaults = (names: ReadonlyArray<keyof Faults>): Faults => ({
  ...NO_FAULTS,
  ...Object.fromEntries(names.map((name) => [name, WORST[name]])),
})

/**
 * Worlds of one seed, as an arbitrary of fast-check: the number of payments, up to `intents`, and
 * which faults are on, at their worst. It shrinks to few payments and few faults. Give fast-check
 * the same seed, so that one number decides everything.
 *
 * ```ts
 * fc.assert(fc.property(arbitraryWorld(fc, { seed }), (world) => …), { seed })
 * ```
 */
export const arbitraryWorld = (
  { integer, record, subarray }: Arbitraries,
  options: SimulateOptions,
): FastCheck.Arbitrary<SimulateOptions> =>
  record({
    intents: integer({ min: 1, max: options.intents ?? PAYMENTS }),
    faults: subarray(NAMES, { maxLength: FAULTS_ON }),
  }).map(({ faults, intents }) => ({ ...options, intents, faults: onlyFaults(faults) }))

/** The message for a world in which all invariants hold but the property fails. */
const notWanted = ({ intents, scenario, seed, settings }: Report, why: unknown): string => {
  const on = Object.entries(settings).filter(([, size]) => size > 0)
  return [
    `The world ${scenario} with seed ${seed} holds, and is not what the property takes:`,
    `  payments: ${intents}, faults: ${JSON.stringify(Object.fromEntries(on))}`,
    ...(why instanceof Error ? [why.message] : []),
  ].join("\n")
}

/** Fails with the smallest world that fast-check has found. */
const refuse = async (
  { defaultReportMessage }: Pick<typeof FastCheck, "defaultReportMessage">,
  details: FastCheck.RunDetails<[SimulateOptions]>,
  report: Report | undefined,
  telling: TellOptions,
  context: Attaching,
): Promise<never> => {
  const { counterexamplePath: path, errorInstance, seed } = details
  if (report !== undefined) await attach(context, report, telling)
  const found =
    report === undefined
      ? defaultReportMessage(details)
      : (failureOf(report, telling)?.message ?? notWanted(report, errorInstance))
  throw new Error(`${found}\n\nfast-check: { seed: ${seed}, path: ${JSON.stringify(path)} }`, {
    cause: errorInstance,
  })
}

type Judge = (report: Report, world: SimulateOptions) => boolean | void | Promise<boolean | void>

/** Checks a property on the worlds of a seed. Rejects with the smallest world that fails. */
export const holdProperty = async (
  seed: number,
  options: PropertyOptions,
  judge: Judge | undefined,
  context: Attaching,
): Promise<void> => {
  const fc = await import("fast-check")
  const { path, runs = RUNS, ...others } = options
  const drawn = { ...worldOf(others), seed }
  // The last world that failed is the smallest. A world that crashed has no report.
  let failed: Report | undefined
  const property = fc.asyncProperty(arbitraryWorld(fc, drawn), async (world) => {
    const before = failed
    failed = undefined
    failed = simulate(world)
    const holds = isSound(failed) && (await judge?.(failed, world)) !== false
    if (holds) failed = before
    return holds
  })
  const limits = { numRuns: runs, ...(path !== undefined && { path }) }
  const details = await fc.check(property, { seed, ...limits })
  if (details.failed) await refuse(fc, details, failed, tellingOf(options), context)
}

/**
 * Defines a Vitest test for each seed, of a property of fast-check (which has to be installed) over
 * the worlds of that seed; fast-check uses the same seed. In every world all invariants have to
 * hold, and `judge`, if given, must neither throw nor return false. fast-check reduces a failing
 * world, and the test reports it as `toHold` does.
 */
export const testWorldProperty = (name: string, options: PropertyOptions, judge?: Judge): void => {
  testEach(name, options, (seed, context) => holdProperty(seed, options, judge, context))
}
