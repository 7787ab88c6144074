import { randomUUID } from "node:crypto"
import type { SeenEvents } from "./SeenEvents.ts"

/** The number of kept events and their time. */
export interface MemorySeenOptions {
  /** The most kept ids, and concurrent events; 100,000. Beyond that the oldest id is dropped. */
  readonly capacity?: number
  /** How long an id is kept; 96 hours, more than the 72 between a delivery's last two attempts. */
  readonly keepSeconds?: number
  /** How long a claim lasts; 60. A handler has to end by then. */
  readonly leaseSeconds?: number
  /** Milliseconds since any moment; must be monotonic. */
  readonly now?: () => number
}

interface Processing {
  readonly token: string
  readonly until: number
}

/** Keeps events in memory: for a receiver with one process, until it restarts. */
export const memorySeen = (options: MemorySeenOptions = {}): SeenEvents => {
  const { capacity = 100_000, keepSeconds = 345_600, leaseSeconds = 60 } = options
  const now = options.now ?? (() => performance.now())
  const processing = new Map<string, Processing>()
  /** The end of each id's time, the first to expire first. */
  const processed = new Map<string, number>()

  const forget = (at: number) => {
    for (const [id, until] of processed) {
      if (until > at && processed.size <= capacity) break
      processed.delete(id)
    }
    for (const [id, { until }] of processing) {
      if (until > at) break
      processing.delete(id)
    }
  }
  const isHeld = (id: string, token: string) => processing.get(id)?.token === token

  return {
    claim: async (id) => {
      forget(now())
      if (processed.has(id)) return { state: "processed" }
      if (processing.has(id) || processing.size >= capacity) return { state: "processing" }
      const token = randomUUID()
      processing.set(id, { token, until: now() + leaseSeconds * 1_000 })
      return { state: "claimed", token }
    },
    confirm: async (id, token) => {
      if (processing.has(id) && !isHeld(id, token)) return
      processing.delete(id)
      processed.set(id, now() + keepSeconds * 1_000)
      forget(now())
    },
    release: async (id, token) => {
      if (isHeld(id, token)) processing.delete(id)
    },
  }
}
