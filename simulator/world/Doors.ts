/** Whether a request is let through, given the service's decision about its proof. */
type Passes = (accepted: boolean) => boolean

/**
 * The doors of a paid endpoint: a proof in payport's own headers, in those of x402, in an MPP
 * credential, by any x402 server that settles at the facilitator, or in a tool call (MCP).
 * Usage-based captures (`upto`), holds (x402, `auth-capture`; MPP, `authorize`) and draws from
 * sessions have their own doors. Each lets through what the service accepts, and nothing else.
 */
export interface Doors {
  readonly own: Passes
  readonly x402: Passes
  readonly mpp: Passes
  readonly facilitator: Passes
  readonly tool: Passes
  readonly upto: Passes
  readonly held: Passes
  readonly authorize: Passes
  readonly session: Passes
}

const asTold: Passes = (accepted) => accepted

/** The correct doors. */
export const usualDoors: Doors = {
  own: asTold,
  x402: asTold,
  mpp: asTold,
  facilitator: asTold,
  tool: asTold,
  upto: asTold,
  held: asTold,
  authorize: asTold,
  session: asTold,
}
