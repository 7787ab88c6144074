import type { Entries, EntryRange } from "./Entries.ts"

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

/** Names in the order of their bytes in UTF-8, which is no language's, and not that of UTF-16. */
const ORDERED = ["-", "B", "a", "a ", "\u00e9", "\ufffd", "\u{1f600}"].map(
  (end) => `${PROBE} ${end}`,
)
const [FIRST = "", LAST = ""] = [ORDERED.at(0), ORDERED.at(-1)]

/** All names that begin with the probe and a blank. */
const ALL = { above: `${PROBE} `, below: `${PROBE}!`, order: "ascending", limit: 100 } as const

const BLANKS = "\t blanks at both ends \n"

/** Whether a range has exactly these names, in this order. */
const lists = (entries: Entries, range: EntryRange, names: ReadonlyArray<string>): boolean =>
  entries
    .list(range)
    .map(([name]) => name)
    .join() === names.join()

/** Writes and reads in one transaction, and returns what is wrong. */
const flawOfOrder = (entries: Entries): string | undefined => {
  for (const name of ORDERED.toReversed()) entries.set(name, BLANKS)
  const between = { ...ALL, above: FIRST, below: LAST }
  const last = { ...ALL, order: "descending", limit: 2 } as const
  if (entries.get(FIRST) !== BLANKS) return "get does not return the text that was set"
  const isOrdered =
    lists(entries, ALL, ORDERED) &&
    lists(entries, between, ORDERED.slice(1, -1)) &&
    lists(entries, last, ORDERED.slice(-2).toReversed())
  return isOrdered ? undefined : "list does not order names by their bytes in UTF-8, or its range"
}

/** Returns what a body says in a transaction that is undone. Errors of the medium say nothing. */
const undone = (entries: Entries, body: () => string | undefined): string | undefined => {
  let said: string | undefined
  try {
    entries.atomically(() => {
      said = body()
      throw new Error("This transaction is undone.")
    })
  } catch {
    return said
  }
  return said
}

/** Whether an entry is gone that a body has deleted which threw. It is made for this before. */
const isForgotten = (entries: Entries): boolean => {
  const text = crypto.randomUUID()
  try {
    entries.atomically(() => entries.set(PROBE, text))
    undone(entries, () => {
      entries.delete(PROBE)
      return undefined
    })
    const left = entries.atomically(() => entries.get(PROBE))
    entries.atomically(() => entries.delete(PROBE))
    return left === undefined
  } catch {
    return false
  }
}

/**
 * Tries transactions whose bodies throw, and returns what is wrong with them, or with what is read
 * in them; undefined if nothing of them is left. Without this, half of a commit would stay after a
 * full disk. An error of the medium itself is left to the call that needs it.
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
      if (isLeft(entries, text)) return "atomically keeps what a body has written that threw"
      if (isForgotten(entries)) return "atomically keeps what a body has deleted that threw"
      return undone(entries, () => flawOfOrder(entries))
  }
}
