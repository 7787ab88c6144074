import { randomUUID } from "node:crypto"
import type { SeenEvents } from "./SeenEvents.ts"

/** How much is remembered, and for how long. */
export interface MemorySeenOptions {
  /** Ids kept, and events handled at a time; 100,000. Beyond that the oldest id is forgotten. */
  readonly capacity?: number
  /** 96 hours: more than the 72 that lie between the last two attempts of a delivery. */
  readonly keepSeconds?: number
  /** After how long a claim lapses; 60. A handler has to be done by then. */
  readonly leaseSeconds?: number
  /** Milliseconds since any moment; has to go forward. */
  readonly now?: () => number
}

interface Processing {
  readonly token: string
  readonly until: number
}

/** Remembers events in this process: for a receiver that is one process, and until it restarts. */
export const memorySeen = (options: MemorySeenOptions = {}): SeenEvents => {
  const { capacity = 100_000, keepSeconds = 345_600, leaseSeconds = 60 } = options
  const now = options.now ?? (() => performance.now())
  const processing = new Map<string, Processing>()
  /** Until when each is kept, the first to go at the front. */
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
