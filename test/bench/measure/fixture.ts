import { mkdtemp } from "node:fs/promises"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../../../apps/bench/statistics.ts"
import { type PayportFixture, startWith } from "../../../apps/server/fixture/startPayport.ts"
import type { Bench } from "../Bench.ts"

/** Seconds until a fixture can be used, the median of the rounds; null for no target. */
export interface FixtureStart {
  readonly name: string
  readonly seconds: number
  readonly target: number | null
  readonly met: boolean
}

/** How long the database server outlives its last fixture here, in milliseconds. */
const LINGER = 200

const programs = (service: string) => ({
  service: resolve(service, "../fixture/service.js"),
  keeper: resolve(service, "../fixture/keeper.js"),
  linger: LINGER,
})

const started = (
  name: string,
  rounds: ReadonlyArray<number>,
  target: number | null,
): FixtureStart => {
  const seconds = median(rounds)
  return { name, seconds, target, met: target === null || seconds < target }
}

const secondsToStart = async (start: () => Promise<PayportFixture>) => {
  const began = performance.now()
  const fixture = await start()
  return { fixture, seconds: (performance.now() - began) / 1_000 }
}

/**
 * Measures `startPayport` without a prepared database on the machine, without a database server in
 * a run of tests, and with one.
 */
export const measureFixtures = (bench: Bench): Promise<ReadonlyArray<FixtureStart>> =>
  bench.progress.step("starts of fixtures", 12 * bench.options.rounds, async () => {
    const start = startWith(programs(bench.options.service))
    const [machine, run, next]: Array<Array<number>> = [[], [], []]
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const cache = await mkdtemp(join(bench.folder, "fixtures-"))
      const first = await secondsToStart(() => start({ cache }))
      machine?.push(first.seconds)
      await first.fixture.stop()
      // The database server is gone, and the prepared database stays.
      await sleep(LINGER + 2_000)
      const second = await secondsToStart(() => start({ cache }))
      run?.push(second.seconds)
      const third = await secondsToStart(() => start({ cache }))
      next?.push(third.seconds)
      await Promise.all([second.fixture.stop(), third.fixture.stop()])
    }
    return [
      started("first fixture of a machine", machine ?? [], null),
      started("first fixture of a run", run ?? [], 2),
      started("next fixture of a run", next ?? [], 2),
    ]
  })
