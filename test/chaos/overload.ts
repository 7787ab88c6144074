import { setTimeout as sleep } from "node:timers/promises"
import type { Chaos, Result, Trial } from "./Chaos.ts"
import { Flood } from "./Flood.ts"
import type { Load } from "./orders.ts"
import { ANSWERED_WITHIN, proxied } from "./proxied.ts"

/** So many wait all the time where the capacity is measured: they keep both processes busy. */
const FULL = 200

/** Seconds of each measurement, and before it. */
const SECONDS = 2
const WARM_UP = 1

/** How much of its capacity the service has to do while ten times as much is asked. */
const TIMES = 10
const LEAST = 0.9

/** What was acknowledged a second, to people who wait two seconds and then go. */
const measure = async (flood: Flood, seconds: number): Promise<number> => {
  await sleep(WARM_UP * 1_000)
  const [began, before] = [performance.now(), flood.inTime]
  await sleep(seconds * 1_000)
  return ((flood.inTime - before) * 1_000) / (performance.now() - began)
}

/** A flood from its begin to its end, and what was acknowledged of it a second. */
const flooded = async (
  trial: Trial,
  load: Load,
  seconds: number,
  begin: (flood: Flood) => void,
) => {
  const flood = new Flood(trial.answering, trial.shop)
  begin(flood)
  const perSecond = await measure(flood, seconds)
  await flood.end()
  flood.giveTo(load)
  return { flood, perSecond }
}

/** What both processes can do: it changes with what else the machine does. */
const capacity = async (trial: Trial, load: Load): Promise<number> =>
  (await flooded(trial, load, SECONDS, (flood) => flood.keep(FULL))).perSecond

/** Asks ten times what the service can do: it does as much as before, and refuses the rest. */
export const overload = (chaos: Chaos): Promise<Result> =>
  proxied(chaos, "overload", async ({ trial }, load, round) => {
    // Code that has not run yet is slower than it ever is again.
    const warming = round === 0 ? 2 : 0
    for (let n = 0; n < warming; n++) await capacity(trial, load)
    const before = await capacity(trial, load)
    const { flood, perSecond } = await flooded(trial, load, 2 * SECONDS, (begun) =>
      begun.send(TIMES * before),
    )
    await trial.backInTime(load, "the flood")
    const after = await capacity(trial, load)
    const ratio = (2 * perSecond) / (before + after)
    const per = (n: number) => `${n.toFixed(0)}/s`
    const found =
      `capacity ${per(before)} and then ${per(after)}, asked ${per(TIMES * before)},` +
      ` refused ${flood.refused}, goodput ${per(perSecond)}: ${ratio.toFixed(2)}`
    process.stderr.write(`\n${found}\n`)
    if (ratio < LEAST) trial.violations.push(found)
    if (flood.slowest > ANSWERED_WITHIN) {
      trial.violations.push(`a request was answered after ${Math.round(flood.slowest)} ms`)
    }
  })
