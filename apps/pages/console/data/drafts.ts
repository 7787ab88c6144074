import { useEffect, useRef, useState } from "preact/hooks"
import { isSessionOver, onAnotherHolder } from "./session.ts"

/** What was typed, by the paths of the body's fields. */
type Draft = Readonly<Record<string, string>>

/** What stood in forms when the session ended, by their places. */
const kept = new Map<string, Draft>()

onAnotherHolder(() => kept.clear())

/** The form of a draft: what tells it from other forms, and what it starts with. */
interface Drafted {
  readonly label: string
  readonly initial: Draft
  /** Values that no field shows, such as the id of the form's subject. They are never typed. */
  readonly fixed: Draft
}

/**
 * Returns the values of a form. If the session ends, they are kept for its holder, who finds them
 * in the form after signing in again. A form about another subject does not get them.
 */
export const useDraft = ({ fixed, initial, label }: Drafted) => {
  const [place] = useState(() => JSON.stringify([location.pathname, location.search, label, fixed]))
  const [draft, setDraft] = useState(() => ({ ...(kept.get(place) ?? initial), ...fixed }))
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
