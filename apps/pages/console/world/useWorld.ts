import { useEffect, useReducer, useState } from "preact/hooks"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import { PayportError } from "../../../../adapters/http/client/PayportError.ts"
import { follow } from "./worldApi.ts"
import { afterFrame, type WorldState } from "../../../../simulator/live/WorldState.ts"

/** Why a world sends no more frames, in words. */
const ENDINGS: { readonly [why: string]: string } = {
  ended: "The world was ended.",
  signed_out: "You are signed out. Sign in again to watch.",
  too_long: "The world has had its half hour. Play it again: the same seed is the same world.",
  unwatched: "Nobody watched, and the world was ended. The same seed is the same world.",
  broken: "The world broke down, or had no memory left. Play it with fewer payments.",
}

/** How long after a broken connection the stream is opened again. */
const AGAIN_AFTER = 1_000

/** Returns a world's state, and why it ended. */
export const useWorld = (id: string | null): readonly [WorldState | undefined, string | null] => {
  const [state, hear] = useReducer(
    (known: WorldState | undefined, frame: Frame | null) =>
      frame === null ? undefined : afterFrame(known, frame),
    undefined,
  )
  const [ending, setEnding] = useState<string | null>(null)
  useEffect(() => {
    hear(null)
    setEnding(null)
    if (id === null) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const listen = async () => {
      while (!signal.aborted) {
        try {
          const ended = (why: string) => setEnding(ENDINGS[why] ?? why)
          await follow(id, { frame: hear, ended }, signal)
          return
        } catch (error) {
          if (error instanceof PayportError && error.status < 500) return setEnding(error.message)
          await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER))
        }
      }
    }
    void listen()
    return () => leaving.abort()
  }, [id])
  return [state, ending]
}
