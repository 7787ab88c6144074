import { Effect } from "effect"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import type { Bench } from "../Bench.ts"
import { median } from "../../../apps/bench/statistics.ts"

/** Seconds until the embedded database answers, the median of the rounds. */
export interface Start {
  readonly name: "first" | "later"
  readonly seconds: number
  readonly target: number
  readonly met: boolean
}

const secondsToStart = async (dataDirectory: string): Promise<number> => {
  const began = performance.now()
  const started = Effect.map(startEmbeddedPostgres({ dataDirectory }), () => performance.now())
  return ((await Effect.runPromise(Effect.scoped(started))) - began) / 1000
}

const started = (name: Start["name"], rounds: ReadonlyArray<number>, target: number): Start => {
  const seconds = median(rounds)
  return { name, seconds, target, met: seconds < target }
}

/** Measures the embedded database's start in a new folder, and in the same folder again. */
export const measureStarts = (bench: Bench): Promise<ReadonlyArray<Start>> =>
  bench.progress.step("starts of the embedded database", 4 * bench.options.rounds, async () => {
    const first: Array<number> = []
    const later: Array<number> = []
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const folder = join(bench.folder, `start-${round}`)
      first.push(await secondsToStart(folder))
      later.push(await secondsToStart(folder))
    }
    return [started("first", first, 3), started("later", later, 1)]
  })
