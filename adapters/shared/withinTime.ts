/** The time was over before the work was done. */
export class OutOfTime extends Error {
  readonly code = "ETIMEDOUT"

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
  }
}

/** How the work learns that it has to stop. */
export interface Limit {
  readonly signal: AbortSignal
  /** Rejects at that moment, for waiting on what does not heed the signal at once. */
  readonly over: Promise<never>
}

/**
 * Runs work that has to stop after so many milliseconds, or when the effect that waits for it is
 * interrupted. The timer is cleared with the work: `AbortSignal.timeout` would keep one for the
 * whole time.
 */
export const withinTime = async <A>(
  milliseconds: number,
  interrupted: AbortSignal,
  work: (limit: Limit) => Promise<A>,
): Promise<A> => {
  const control = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  // Without a handler, a rejection that the work no longer waits for would end the process.
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
