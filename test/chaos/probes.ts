import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../bench/service.ts"
import type { Trial } from "./Chaos.ts"

/** Returns the reason in `/readyz` and the time of the answer. */
const readiness = async ({ url }: Service) => {
  const began = performance.now()
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) })
  const { details } = (await answer.json()) as { details?: { reason?: string } }
  const reason = answer.status === 200 ? "ready" : (details?.reason ?? "unnamed")
  return { reason, took: performance.now() - began }
}

/** Waits at most half a minute until each process reports that reason. */
export const untilSaid = async ({ all, violations }: Trial, reason: string): Promise<void> => {
  const limit = performance.now() + 30_000
  for (const service of all) {
    let said = (await readiness(service)).reason
    while (said !== reason && performance.now() < limit) {
      await sleep(50)
      said = (await readiness(service)).reason
    }
    if (said !== reason) {
      violations.push(`a process should say ${reason} of itself, and says ${said}`)
    }
  }
}

/** Checks that probes are answered immediately, whatever other requests wait. */
const probe = async (service: Service, trial: Trial): Promise<void> => {
  const { backWithin, violations } = trial
  const began = performance.now()
  await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(20_000) })
  const took = Math.round(performance.now() - began)
  if (took > backWithin) violations.push(`/healthz took ${took} ms during the outage`)
  const { reason, took: asked } = await readiness(service)
  if (asked > 2 * backWithin) violations.push(`/readyz took ${Math.round(asked)} ms`)
  if (reason === "ready") violations.push("without its database the service says it is ready")
}

/** Probes all processes again and again until then. */
export const probeAll = async (trial: Trial, until: number): Promise<void> => {
  while (performance.now() < until) {
    await Promise.all(trial.all.map((service) => probe(service, trial)))
    await sleep(500)
  }
}
