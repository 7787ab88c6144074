import { type Bench, checkStored, create, withService } from "../Bench.ts"
import { median } from "../../../apps/bench/statistics.ts"
import { makeLimit } from "./limit.ts"
import { compared, type Rate } from "./Rate.ts"

const TARGET = 0.45

/** Durable creation through HTTP, each under a new Idempotency-Key, against the database alone. */
export const measureCreate = async (bench: Bench): Promise<Rate> => {
  const {
    options: { rounds, seconds, warmUp },
    progress,
    server,
  } = bench
  const limit = await makeLimit(bench, "create")
  const outcomes = await withService(bench, "bench_create", async (running) => {
    let stored = 1
    const load = async (lasting: number) => {
      await server.checkpoint()
      const outcome = await create(bench, running, { until: { seconds: lasting } })
      stored += outcome.acknowledged
      return outcome
    }
    await progress.step("create: warm-up", 2 * warmUp, async () => {
      await limit.warmUp()
      if (warmUp > 0) await load(warmUp)
    })
    const found = []
    for (let round = 1; round <= rounds; round++) {
      const what = `create: round ${round} of ${rounds}`
      found.push(
        await progress.step(what, limit.seconds + seconds, async () => {
          await limit.round()
          return load(seconds)
        }),
      )
    }
    await checkStored(bench, running.database, stored)
    return found
  })
  await limit.close()
  return compared({
    name: "creation",
    target: TARGET,
    rates: outcomes.map(({ rate }) => rate),
    limit: limit.best(),
    p50: median(outcomes.map(({ latency }) => latency.p50)),
    p99: median(outcomes.map(({ latency }) => latency.p99)),
  })
}
