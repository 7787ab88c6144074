/** Waits. Rejects with the reason of the signal if that aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) end()
    signal?.addEventListener("abort", end, { once: true })
  })

/** Returns a promise that also rejects, with the reason of the signal, when that aborts. */
export const unlessAborted = <A>(
  promise: Promise<A>,
  signal: AbortSignal | undefined,
): Promise<A> => {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    signal.addEventListener("abort", end, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", end))
  })
}

const held = new Set<object>()

/**
 * Keeps values until the work has ended. Node's `Request` follows the signal that it was made with
 * only until it is collected. What waits for its own signal does not keep it.
 */
export const holding = async <A>(values: ReadonlyArray<unknown>, work: Promise<A>): Promise<A> => {
  const kept = { values }
  held.add(kept)
  try {
    return await work
  } finally {
    held.delete(kept)
  }
}
