import { type Bench, type Running, withService } from "../Bench.ts"
import { runLoad } from "../load.ts"
import { SEEDED_PREFIX, seedIntents } from "../seed.ts"
import { median } from "../../../apps/bench/statistics.ts"
import { makeLimit } from "./limit.ts"
import { compared, type Rate } from "./Rate.ts"

const TARGET = 0.12
const STORED = 200_000

const read = ({ options }: Bench, { service }: Running, seconds: number) =>
  runLoad({
    url: service.url,
    connections: options.connections,
    key: service.buyerKey,
    request: { type: "get", idPrefix: `pi_${SEEDED_PREFIX}`, count: STORED },
    warmUp: 0,
    until: { milliseconds: seconds * 1000 },
  })

/** Reading one of 200,000 stored payments through HTTP, against the database alone. */
export const measureGet = async (bench: Bench): Promise<Rate> => {
  const {
    options: { rounds, seconds, warmUp },
    progress,
    server,
  } = bench
  const limit = await makeLimit(bench, "get")
  const outcomes = await withService(bench, "bench_get", async (running) => {
    await progress.step("get: storing 200,000 payments", 15, () =>
      seedIntents(server, running, STORED),
    )
    await progress.step("get: warm-up", 2 * warmUp, async () => {
      await limit.warmUp()
      if (warmUp > 0) await read(bench, running, warmUp)
    })
    const found = []
    for (let round = 1; round <= rounds; round++) {
      const what = `get: round ${round} of ${rounds}`
      found.push(
        await progress.step(what, limit.seconds + seconds, async () => {
          await limit.round()
          return read(bench, running, seconds)
        }),
      )
    }
    return found
  })
  await limit.close()
  return compared({
    name: "get",
    target: TARGET,
    rates: outcomes.map(({ rate }) => rate),
    limit: limit.best(),
    p50: median(outcomes.map(({ latency }) => latency.p50)),
    p99: median(outcomes.map(({ latency }) => latency.p99)),
  })
}
