import { useEffect, useRef, useState } from "preact/hooks"
import { isSessionOver, onAnotherHolder } from "./session.ts"

/** What was typed, by the paths of the body's fields. */
type Draft = Readonly<Record<string, string>>

/** What stood in forms when the session ended, by their places. */
const kept = new Map<string, Draft>()

onAnotherHolder(() => kept.clear())

/**
 * Returns the values of a form. If the session ends, they are kept for its holder, who finds them
 * in the form after signing in again.
 */
export const useDraft = (label: string, initial: Draft) => {
  const [place] = useState(() => `${location.pathname}${location.search} ${label}`)
  const [draft, setDraft] = useState(() => kept.get(place) ?? initial)
  const latest = useRef(draft)
  latest.current = draft
  useEffect(() => {
    kept.delete(place)
    return () => {
      if (isSessionOver()) kept.set(place, latest.current)
    }
  }, [place])
  return [draft, setDraft] as const
}
