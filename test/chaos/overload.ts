import { setTimeout as sleep } from "node:timers/promises"
import type { Chaos, Result, Trial } from "./Chaos.ts"
import { Flood } from "./Flood.ts"
import type { Load } from "./orders.ts"
import { ANSWERED_WITHIN, proxied, type Proxied } from "./proxied.ts"

/**
 * The number of waiting requests during a measurement of the capacity. They keep both processes
 * busy.
 */
const FULL = 200

/** Seconds of a measurement, and before it. */
interface Times {
  readonly warmUp: number
  readonly seconds: number
}

/** Of a flood's first two seconds, most goes into opening thousands of connections. */
const CAPACITY: Times = { warmUp: 1, seconds: 2 }
const FLOOD: Times = { warmUp: 2, seconds: 4 }

/** How much of its capacity the service has to do while ten times as much is asked. */
const TIMES = 10
const LEAST = 0.9

/** The same of a single round, whose few seconds the machine may spend on something else. */
const LEAST_OF_ONE = 0.3

/** Returns the creations a second that were acknowledged to callers who wait two seconds. */
const measure = async (flood: Flood, { seconds, warmUp }: Times): Promise<number> => {
  await sleep(warmUp * 1_000)
  const [began, before] = [performance.now(), flood.inTime]
  await sleep(seconds * 1_000)
  return ((flood.inTime - before) * 1_000) / (performance.now() - began)
}

/** A flood from its begin to its end, and what was acknowledged of it a second. */
const flooded = async (trial: Trial, load: Load, times: Times, begin: (flood: Flood) => void) => {
  const flood = new Flood(trial.answering, trial.shop)
  begin(flood)
  const perSecond = await measure(flood, times)
  await flood.end()
  flood.giveTo(load)
  return { flood, perSecond }
}

/** The capacity of both processes, which changes with other load on the machine. */
const capacity = async (trial: Trial, load: Load): Promise<number> =>
  (await flooded(trial, load, CAPACITY, (flood) => flood.keep(FULL))).perSecond

/** The measurements of a round, in creations a second. */
interface Measured {
  readonly capacity: number
  readonly goodput: number
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** How much of its capacity the service did: the mean of all rounds on both sides. */
const ratioOf = (rounds: ReadonlyArray<Measured>): number =>
  mean(rounds.map(({ goodput }) => goodput)) / mean(rounds.map(({ capacity: all }) => all))

/** Floods the service between two measurements of its capacity, since the capacity changes. */
const floodOnce = async (trial: Trial, load: Load): Promise<Measured> => {
  const before = await capacity(trial, load)
  const rate = TIMES * before
  const { flood, perSecond } = await flooded(trial, load, FLOOD, (begun) => begun.send(rate))
  await trial.backInTime(load, "the flood")
  if (flood.slowest > ANSWERED_WITHIN) {
    trial.violations.push(`a request was answered after ${Math.round(flood.slowest)} ms`)
  }
  return { capacity: mean([before, await capacity(trial, load)]), goodput: perSecond }
}

/**
 * Requests ten times the service's capacity. It has to do as much as before, and refuse the rest.
 */
export const overload = (chaos: Chaos): Promise<Result> => {
  const rounds: Array<Measured> = []
  const tooLittle = ({ trial }: Proxied, what: string, ratio: number, least: number): void => {
    const found = `goodput in ${what}: ${ratio.toFixed(2)} of the capacity`
    process.stderr.write(`\n${found}\n`)
    // If nothing was done, the ratio is not a number.
    if (!(ratio >= least)) trial.violations.push(`${found}, at least ${least} is due`)
  }
  return proxied(
    chaos,
    "overload",
    async (setting, load, round) => {
      // Code that has not run yet is slower than it ever is again.
      const warming = round === 0 ? 2 : 0
      for (let n = 0; n < warming; n++) await capacity(setting.trial, load)
      const measured = await floodOnce(setting.trial, load)
      rounds.push(measured)
      const what = `a round of ${measured.capacity.toFixed(0)} creations a second`
      tooLittle(setting, what, ratioOf([measured]), LEAST_OF_ONE)
    },
    async (setting) => tooLittle(setting, `all ${rounds.length} rounds`, ratioOf(rounds), LEAST),
  )
}
