import type { WaiterLimits } from "./Waiters.ts"

/** Limits of the sessions of revision 2025-11-25, with times in milliseconds. */
export interface SessionLimits {
  readonly most: number
  /** The most sessions of one key, or of one address without a key. */
  readonly mostOfHolder: number
  /** How long a session without requests and streams is kept. */
  readonly idleFor: number
  /** The longest duration of a session. */
  readonly longest: number
}

/** Limits of the protocol in one process, with times in milliseconds. */
export interface McpLimits extends WaiterLimits {
  readonly sessions: SessionLimits
  /** Open streams of clients that listen for changes: in total, and per key or address. */
  readonly subscriptions: number
  readonly subscriptionsOfHolder: number
  /** The time between two heartbeats on a stream. */
  readonly heartbeatEvery: number
}

export const MCP_LIMITS: McpLimits = {
  sessions: { most: 1_000, mostOfHolder: 100, idleFor: 30 * 60_000, longest: 24 * 3_600_000 },
  subscriptions: 1_000,
  subscriptionsOfHolder: 100,
  heartbeatEvery: 15_000,
  waiting: 500,
  waitingOfKey: 10,
}
