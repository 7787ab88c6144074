import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Chaos, type Result, starter, Trial, untilReady } from "./Chaos.ts"
import { Postgres } from "./Postgres.ts"

type Part = "service" | "database"

/** The service is killed and started anew; who was not answered asks the next one. */
const killService = (trial: Trial, start: () => Promise<Trial["service"]>) =>
  trial.round(async (load) => {
    await trial.service.kill()
    trial.service = await start()
    load.moveTo(trial.service)
  }, true)

/**
 * Kills the database of a running service. The service reports it and continues once the database
 * is back.
 */
const killDatabase = (trial: Trial, round: number) =>
  trial.round(async () => {
    await trial.server.kill(round % 2 === 0 ? "main" : "all")
    if (!(await untilReady(trial.service, false))) {
      trial.violations.push("without its database the service says that it is ready")
    }
    await sleep(100 * (round % 5))
    await trial.server.start()
    if (!(await untilReady(trial.service, true))) {
      trial.violations.push("a minute after its database was back the service was not ready")
    }
  }, false)

/** Ends the service, or its database, by kill -9 under load, again and again. */
export const kill = async (chaos: Chaos, part: Part): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.rounds[part]
  const server = new Postgres(join(chaos.folder, `${part}-data`))
  await server.start()
  let trial: Trial | undefined
  try {
    const start = await starter(chaos, part, server.url())
    trial = await Trial.open(chaos, await start(), server)
    for (let round = 0; round < rounds; round++) {
      await (part === "service" ? killService(trial, start) : killDatabase(trial, round))
      chaos.tell(round + 1)
    }
    return await trial.end(part, rounds, began)
  } finally {
    await trial?.abandon()
    await server.stop()
  }
}
