/** Whether a request is let through, after what the service has said of its proof. */
type Passes = (accepted: boolean) => boolean

/**
 * The doors of a paid endpoint: a proof in payport's own headers, in those of x402, in a credential
 * of MPP, by any x402 server that settles at the facilitator, or in a call of a tool (MCP). What is
 * taken by use (`upto`), or held first (x402, `auth-capture`; MPP, `authorize`), and what a session
 * draws from comes through doors of their own.
 * Each lets through what the service accepts, and nothing else.
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

/** The doors as they ought to be. */
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
