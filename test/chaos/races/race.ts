import { join } from "node:path"
import { type Chaos, type Result, starter } from "../Chaos.ts"
import { flaws } from "../judge.ts"
import { Postgres } from "../Postgres.ts"
import { openReceiver } from "../receiver.ts"
import { TARGETS } from "./targets.ts"
import type { Arena } from "./Target.ts"

/** Rounds of every race between two processes of the service on one database. */
const raceIn = async (chaos: Chaos, arena: Arena): Promise<Array<string>> => {
  const rounds = chaos.options.rounds.races
  const violations: Array<string> = []
  let done = 0
  for (const { name, open } of TARGETS) {
    const { end, round } = await open(arena)
    for (let n = 0; n < rounds; n++) {
      const found = await round(n)
      violations.push(...found.map((what) => `${name}, round ${n}: ${what}`))
      chaos.tell(++done)
    }
    const after = end === undefined ? [] : await end()
    violations.push(...after.map((what) => `${name}, ${what}`))
  }
  return [...violations, ...(await flaws(arena.server))]
}

/** Races for payments, refunds, keys, limits and codes, with one winner each. */
export const race = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const {
    parallel,
    rounds: { races: rounds },
  } = chaos.options
  const server = new Postgres(join(chaos.folder, "races-data"))
  await server.start()
  const receiver = await openReceiver()
  const start = await starter(chaos, "races", server.url())
  const services = await Promise.all([start(), start()])
  const counts = { acknowledged: 0, put_off: 0 }
  const arena: Arena = { server, services, parallel, endpoint: receiver.endpoint, counts }
  try {
    const violations = await raceIn(chaos, arena)
    await Promise.all(services.map((service) => service.stop()))
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const done = TARGETS.length * rounds
    const back = { back_after: 0, back_after_median: 0 }
    return { part: "races", rounds: done, ...counts, ...back, seconds, violations }
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    await receiver.close()
    await server.stop()
  }
}
