class OutOfTime extends Error {
  readonly code = "ETIMEDOUT"
}

/** How the work learns that it is to stop. */
export interface Limit {
  readonly signal: AbortSignal
  /** Rejects at that moment, for waiting on what does not heed the signal at once. */
  readonly over: Promise<never>
}

/**
 * Runs work that has to stop when its time is over, or when nobody waits for it any more. The timer
 * goes with the work: signals that time out by themselves pile up for as long as they last.
 */
export const withinTime = async <A>(
  milliseconds: number,
  interrupted: AbortSignal,
  work: (limit: Limit) => Promise<A>,
): Promise<A> => {
  const control = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  // Work that has gone past waiting for it leaves nobody to hear of it.
  over.catch(() => {})
  const stop = (reason: unknown) => {
    control.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(() => stop(new OutOfTime()), milliseconds)
  const leave = () => stop(interrupted.reason)
  interrupted.addEventListener("abort", leave)
  try {
    return await work({ signal: control.signal, over })
  } finally {
    clearTimeout(timer)
    interrupted.removeEventListener("abort", leave)
  }
}
