import { usualParts } from "../../../simulator/parts.ts"
import {
  type Bounds,
  Shrinker,
  type Shrinking,
  type Shrunk,
  type Try,
} from "../../../simulator/shrinking/Shrinker.ts"
import type { Threads } from "./runSeeds.ts"
import type { SentTry, Thread } from "./Thread.ts"

/** The limits of shrinking, and its listeners. */
export interface ShrinkingOn extends Bounds {
  readonly onTry: (now: Shrinking) => void
  /** Ends it at once; the result is the smallest script so far. */
  readonly signal?: AbortSignal
}

/**
 * Makes a failing script smaller like `shrink`, with tries on all threads at a time and the same
 * result for any number of threads. A try that does not end does not fail.
 */
export const shrinkOn = async (
  threads: Threads,
  { breaks, script }: SentTry,
  { onTry, signal, ...bounds }: ShrinkingOn,
): Promise<Shrunk> => {
  const shrinker = new Shrinker(script, usualParts, bounds)
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  const free = new Set(threads.all)
  const busy = new Map<Thread, Try>()
  const hear = (one: Try, fails: boolean) => {
    const { tries } = shrinker.now
    shrinker.hear(one, fails)
    if (shrinker.now.tries > tries) onTry(shrinker.now)
    for (const [thread, other] of busy) {
      if (!shrinker.isWanted(other)) thread.forget()
    }
  }
  const ask = async (thread: Thread, one: Try) => {
    free.delete(thread)
    busy.set(thread, one)
    const fails = await thread.fails({ script: one.script, breaks })
    busy.delete(thread)
    free.add(thread)
    hear(one, fails)
    begin()
  }
  const begin = () => {
    for (const thread of free) {
      const one = shrinker.begin()
      if (one === undefined) break
      ask(thread, one).catch((error: unknown) => {
        shrinker.interrupt()
        reject(error)
      })
    }
    // Dropped tries are awaited, too, since another reduction may need their threads.
    if (busy.size === 0) resolve()
  }
  const interrupt = () => {
    shrinker.interrupt()
    for (const thread of busy.keys()) thread.giveUp()
  }
  signal?.addEventListener("abort", interrupt)
  begin()
  await promise.finally(() => signal?.removeEventListener("abort", interrupt))
  return shrinker.shrunk
}
