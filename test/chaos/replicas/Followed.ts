import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../bench/service.ts"

/**
 * Waits until each process reports that state of its replica. Returns false if the time is over.
 */
export const untilStates = async (
  services: ReadonlyArray<Service>,
  state: string,
  within: number,
): Promise<boolean> => {
  const limit = performance.now() + within
  for (const { url } of services) {
    const stateNow = async () => {
      const answer = (await (await fetch(`${url}/readyz`)).json()) as {
        readonly replicas?: ReadonlyArray<string>
      }
      return answer.replicas?.join()
    }
    while ((await stateNow()) !== state) {
      if (performance.now() > limit) return false
      await sleep(20)
    }
  }
  return true
}

/** How many reads a replica has answered, by each process's own count. */
export const readsFromReplica = (
  services: ReadonlyArray<Service>,
): Promise<ReadonlyArray<number>> =>
  Promise.all(
    services.map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const line = /^payport_replica_reads_total\{[^}]*outcome="replica"[^}]*\} (\d+)$/m
      return Number(line.exec(text)?.[1] ?? 0)
    }),
  )

/** Milliseconds until reads of every process go to the replica; undefined where they do not. */
export const untilRead = async (
  services: ReadonlyArray<Service>,
  within: number,
): Promise<number | undefined> => {
  const began = performance.now()
  const before = await readsFromReplica(services)
  while (performance.now() - began < within) {
    const now = await readsFromReplica(services)
    if (now.every((count, n) => count > (before[n] ?? 0))) return performance.now() - began
    await sleep(20)
  }
  return undefined
}
