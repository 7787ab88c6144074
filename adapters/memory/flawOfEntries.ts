import type { Entries } from "./Entries.ts"

/** A name that no part of the store uses. Transactions that are none may have kept it before. */
const PROBE = "probe"

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value

const ignore = (): undefined => undefined

/** What `atomically` throws of a body that throws `thrown`: also where a promise rejects later. */
const outcomeOf = (
  entries: Entries,
  text: string,
  thrown: Error,
): "passed on" | "kept" | "async" | "other" => {
  try {
    const answer: unknown = entries.atomically((): unknown => {
      entries.set(PROBE, text)
      throw thrown
    })
    if (!isPromise(answer)) return "kept"
    answer.then(ignore, ignore)
    return "async"
  } catch (error) {
    return error === thrown ? "passed on" : "other"
  }
}

/** Whether the text of an undone transaction is there; an error of the medium tells nothing. */
const isLeft = (entries: Entries, text: string): boolean => {
  try {
    return entries.atomically(() => entries.get(PROBE)) === text
  } catch {
    return false
  }
}

/**
 * Tries a transaction whose body throws, and returns what is wrong with it; undefined if nothing of
 * it is left. Without this, half of a commit would stay after a full disk. An error of the medium
 * itself is left to the call that needs it.
 */
export const flawOfEntries = (entries: Entries): string | undefined => {
  const text = crypto.randomUUID()
  switch (outcomeOf(entries, text, new Error("This transaction is tried and undone."))) {
    case "other":
      return undefined
    case "async":
      return "atomically returns a promise, but has to have ended when it returns"
    case "kept":
      return "atomically does not throw what its body throws"
    default:
      return isLeft(entries, text)
        ? "atomically keeps what a body has written that threw"
        : undefined
  }
}
