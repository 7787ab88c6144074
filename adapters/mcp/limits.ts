import type { WaiterLimits } from "./Waiters.ts"

/** Limits of the sessions of revision 2025-11-25; times in milliseconds. */
export interface SessionLimits {
  readonly most: number
  /** How many one key may have, or one address without a key. */
  readonly mostOfHolder: number
  /** How long a session without a request and without a stream is kept. */
  readonly idleFor: number
  /** How long a session lasts at most. */
  readonly longest: number
}

/** Limits of the protocol in one process; times in milliseconds. */
export interface McpLimits extends WaiterLimits {
  readonly sessions: SessionLimits
  /** Open streams of clients that listen to changes: in all, and of a key or an address. */
  readonly subscriptions: number
  readonly subscriptionsOfHolder: number
  /** Between two heartbeats on a stream. */
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
