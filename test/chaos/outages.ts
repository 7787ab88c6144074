import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { explain } from "../support/commandLine.ts"
import type { Chaos, Result, Trial } from "./Chaos.ts"
import { Flood } from "./Flood.ts"
import type { Load } from "./orders.ts"
import { ANSWERED_WITHIN, BACK_WITHIN, backInTime, proxied, type Proxied } from "./proxied.ts"

/** A stop takes no longer, in milliseconds; its exit code has to be 0. */
const STOPPED_WITHIN = 10_000

/** How long the database says nothing, round after round, in seconds. */
const HANGS = [5, 20, 60] as const

type Outage = (setting: Proxied, load: Load, round: number) => Promise<void>

/** What `/readyz` says, and how long it took to say it. */
const readiness = async ({ url }: Trial["service"]) => {
  const began = performance.now()
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) })
  const { details } = (await answer.json()) as { details?: { reason?: string } }
  const reason = answer.status === 200 ? "ready" : (details?.reason ?? "unnamed")
  return { reason, took: performance.now() - began }
}

/** Waits until the service says that of itself; ten seconds at most. */
const untilSaid = async ({ service, violations }: Trial, reason: string): Promise<void> => {
  const limit = performance.now() + 10_000
  let said = ""
  while (performance.now() < limit) {
    const found = await readiness(service)
    if ((said = found.reason) === reason) return
    await sleep(50)
  }
  violations.push(`the service should say ${reason} of itself, and says ${said}`)
}

/** Probes are answered at once, whatever else waits. */
const probe = async ({ service, violations }: Trial, until: number): Promise<void> => {
  while (performance.now() < until) {
    const began = performance.now()
    await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(20_000) })
    const took = Math.round(performance.now() - began)
    if (took > BACK_WITHIN) violations.push(`/healthz took ${took} ms during the outage`)
    const { reason, took: asked } = await readiness(service)
    if (asked > 2 * BACK_WITHIN) violations.push(`/readyz took ${Math.round(asked)} ms`)
    if (reason === "ready") violations.push("without its database the service says it is ready")
    await sleep(500)
  }
}

/** The database says nothing, without a reset, while many ask. */
const hang =
  (perSecond: number): Outage =>
  async ({ proxy, trial }, load, round) => {
    const seconds = HANGS[round % HANGS.length] ?? 5
    const flood = new Flood(trial.service, trial.shop, perSecond)
    await sleep(500)
    proxy.hang(true)
    const until = performance.now() + seconds * 1_000
    await sleep(1_500)
    await probe(trial, until)
    proxy.hang(false)
    await backInTime(trial, load, `a hang of ${seconds} s`)
    await flood.end()
    load.orders.push(...flood.orders)
    load.acknowledged += flood.acknowledged
    load.wrong.push(...flood.wrong)
    if (flood.slowest > ANSWERED_WITHIN) {
      trial.violations.push(`a request was answered after ${Math.round(flood.slowest)} ms`)
    }
  }

/** The server takes no writes any more, as one does that has become a standby, and then does. */
const readOnly: Outage = async ({ server, trial }, load) => {
  await server.configure({ default_transaction_read_only: "on" })
  await untilSaid(trial, "read_only")
  await sleep(1_000)
  await server.configure({ default_transaction_read_only: "off" })
  await backInTime(trial, load, "a time without writes")
  await untilSaid(trial, "ready")
}

/** Others take all connections of the database, and then give them back. */
const connections: Outage = async ({ proxy, server, trial }, load) => {
  const scope = Scope.makeUnsafe()
  const take = PgConnection.make(server.operator)
  const taken = Effect.forever(Scope.provide(take, scope))
  proxy.drop(true)
  await Effect.runPromise(Effect.exit(taken))
  proxy.drop(false)
  await untilSaid(trial, "no_connections")
  await sleep(1_000)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await backInTime(trial, load, "a time without connections")
  await untilSaid(trial, "ready")
}

/** The service is told to stop while its database says nothing: it does, in good order. */
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
    trial.service = await start()
    load.moveTo(trial.service)
  }, true)

/** Takes the database away in a way that is no crash, again and again, and judges the books. */
export const outage = (chaos: Chaos, part: "hang" | "readonly" | "connections"): Promise<Result> =>
  part === "hang"
    ? proxied(chaos, part, hang(chaos.options.flood), stopDuringHang)
    : proxied(chaos, part, part === "readonly" ? readOnly : connections)
