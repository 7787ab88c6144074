/** The time limit has passed before the work was done. */
export class OutOfTime extends Error {
  readonly code = "ETIMEDOUT"

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
  }
}

/** Tells the work to stop. */
export interface Limit {
  readonly signal: AbortSignal
  /** Rejects when the time limit passes, for work that does not react to the signal at once. */
  readonly over: Promise<never>
}

/**
 * Runs work with a time limit in milliseconds. The work must also stop when the waiting effect is
 * interrupted. The timer is cleared with the work. `AbortSignal.timeout` would keep one until the
 * limit.
 */
export const withinTime = async <A>(
  milliseconds: number,
  interrupted: AbortSignal,
  work: (limit: Limit) => Promise<A>,
): Promise<A> => {
  const control = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  // Without a handler, a rejection after the work has ended would end the process.
  over.catch(() => {})
  const stop = (reason: unknown) => {
    control.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(() => stop(new OutOfTime(milliseconds)), milliseconds)
  const leave = () => stop(interrupted.reason)
  interrupted.addEventListener("abort", leave)
  try {
    return await work({ signal: control.signal, over })
  } finally {
    clearTimeout(timer)
    interrupted.removeEventListener("abort", leave)
  }
}
