import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { explain } from "../support/commandLine.ts"
import { API, type Chaos, type Result } from "./Chaos.ts"
import { Flood } from "./Flood.ts"
import type { Load } from "./orders.ts"
import { probeAll, untilSaid } from "./probes.ts"
import { ANSWERED_WITHIN, proxied, type Proxied } from "./proxied.ts"

/** A stop takes no longer, in milliseconds; its exit code has to be 0. */
const STOPPED_WITHIN = 10_000

/** The durations of a hang in seconds, and the creations a second meanwhile. */
const HANGS = [5, 20, 60] as const
const FLOODS = [100, 1_000] as const

/** The database says nothing, without a reset, while many ask. Six rounds meet all cases. */
const hang = async ({ proxy, trial }: Proxied, load: Load, round: number) => {
  const seconds = HANGS[round % HANGS.length] ?? 5
  const perSecond = FLOODS[round % FLOODS.length] ?? 100
  const flood = new Flood(trial.answering, trial.shop)
  flood.send(perSecond)
  await sleep(500)
  proxy.hang(true)
  const until = performance.now() + seconds * 1_000
  await sleep(1_500)
  await probeAll(trial, until)
  proxy.hang(false)
  const what = `a hang of ${seconds} s under ${perSecond} creations a second`
  await trial.backInTime(load, what, flood)
  await flood.end()
  flood.giveTo(load)
  if (flood.slowest > ANSWERED_WITHIN) {
    trial.violations.push(`a request was answered after ${Math.round(flood.slowest)} ms`)
  }
}

/** Others take all connections of the database, and then give them back. */
const connections = async ({ proxy, server, trial }: Proxied, load: Load) => {
  const scope = Scope.makeUnsafe()
  const take = PgConnection.make(server.operator)
  const taken = Effect.forever(Scope.provide(take, scope))
  proxy.drop(true)
  await Effect.runPromise(Effect.exit(taken))
  proxy.drop(false)
  await untilSaid(trial, "no_connections")
  await sleep(1_000)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await trial.backInTime(load, "a time without connections")
  await untilSaid(trial, "ready")
}

/** A process is told to stop while its database says nothing: it does, in good order. */
const stopDuringHang = ({ proxy, start, trial }: Proxied) =>
  trial.round(async (load) => {
    proxy.hang(true)
    await sleep(1_000)
    const began = performance.now()
    const { violations } = trial
    await trial.service.stop().catch((error: unknown) => violations.push(explain(error)))
    const took = Math.round(performance.now() - began)
    if (took > STOPPED_WITHIN) violations.push(`a stop during a hang took ${took} ms`)
    proxy.hang(false)
    trial.service = await start(API)
    load.moveTo(...trial.answering)
  }, true)

/** Takes the database away in a way that is no crash, again and again, and judges the books. */
export const outage = (chaos: Chaos, part: "hang" | "connections"): Promise<Result> =>
  part === "hang" ? proxied(chaos, part, hang, stopDuringHang) : proxied(chaos, part, connections)
