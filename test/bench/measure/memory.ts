import { type Bench, checkStored, create, withService } from "../Bench.ts"
import { memoryOf } from "../processes.ts"

const CREATIONS = 200_000
const TARGET = 250

/** Megabytes that the service's process holds. */
export interface MemoryUse {
  readonly creations: number
  readonly before: number
  readonly after: number
  readonly peak: number | null
  /** Creations a second meanwhile. */
  readonly rate: number
  readonly target: number
  readonly met: boolean
}

/** The memory of the service's process right after 200,000 creations. */
export const measureMemory = (bench: Bench): Promise<MemoryUse> =>
  withService(bench, "bench_memory", (running) =>
    bench.progress.step("memory: 200,000 creations", 50, async () => {
      const { pid } = running.service
      const before = await memoryOf(pid)
      const { rate } = await create(bench, running, { until: { requests: CREATIONS } })
      const after = await memoryOf(pid)
      await checkStored(bench, running.database, CREATIONS + 1)
      return {
        creations: CREATIONS,
        before: before.resident,
        after: after.resident,
        peak: after.peak,
        rate,
        target: TARGET,
        met: after.resident < TARGET,
      }
    }),
  )
