import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Entry } from "./DueQueue.ts"
import type { KeptQueues } from "./DueQueues.ts"
import type { Entries, EntryRange } from "./Entries.ts"
import type { Keeping, Kept } from "./Keeping.ts"
import type { KeptIds } from "./SortedIds.ts"

/** The number of entries per read. */
const PAGE = 64

/** Encodes a part of a name so that it equals no other part, and is no prefix of one. */
const part = (text: string): string => `${JSON.stringify(text)}/`

/** Sorts after every name. */
const LAST = "\u{10ffff}"

/** Yields entries with a common prefix, page by page. Changes do not disturb it. */
function* walk(
  entries: Entries,
  prefix: string,
  order: EntryRange["order"] = "ascending",
  behind?: string,
): Generator<readonly [name: string, text: string], void> {
  let [above, below] = [prefix, prefix + LAST]
  if (order === "descending") below = behind ?? below
  while (true) {
    const page = entries.list({ above, below, order, limit: PAGE })
    yield* page
    const [last] = page.at(-1) ?? []
    if (last === undefined || page.length < PAGE) return
    if (order === "ascending") above = last
    else below = last
  }
}

const clear = (entries: Entries, prefix: string): void => {
  for (const [name] of walk(entries, prefix)) {
    entries.delete(name)
  }
}

const mapIn = <V>(entries: Entries, name: string): Kept<V> => {
  const prefix = part(name)
  function* all(): Generator<readonly [string, V]> {
    for (const [at, text] of walk(entries, prefix)) {
      yield [JSON.parse(at.slice(prefix.length)) as string, JSON.parse(text) as V]
    }
  }
  const placeOf = (key: string): string => prefix + JSON.stringify(key)
  return {
    get: (key) => {
      const text = entries.get(placeOf(key))
      return text === undefined ? undefined : (JSON.parse(text) as V)
    },
    set: (key, value) => entries.set(placeOf(key), JSON.stringify(value)),
    delete: (key) => {
      const isThere = entries.get(placeOf(key)) !== undefined
      if (isThere) entries.delete(placeOf(key))
      return isThere
    },
    *keys() {
      for (const [key] of all()) yield key
    },
    *values() {
      for (const [, value] of all()) yield value
    },
    [Symbol.iterator]: all,
  }
}

const idsIn = (entries: Entries, name: string): KeptIds => {
  const prefix = part(name)
  return {
    add: (id) => entries.set(prefix + id, ""),
    delete: (id) => entries.delete(prefix + id),
    *newestFirst(behind) {
      const from = behind === undefined ? undefined : prefix + behind
      for (const [at] of walk(entries, prefix, "descending", from)) {
        yield at.slice(prefix.length)
      }
    },
  }
}

/** Returns a time as text that sorts like the time. */
const timeText = (at: Timestamp): string => String(at).padStart(16, "0")

/** Due entries, ordered only by time. A receiver that has used its share is skipped. */
const queuesIn = (entries: Entries, name: string): KeptQueues => {
  const prefix = part(name)
  function* all(): Generator<readonly [string, Entry, receiver: string]> {
    for (const [place, text] of walk(entries, prefix)) {
      const [at = "", id = ""] = place.slice(prefix.length).split("/")
      yield [place, { at: Number(at), id }, text]
    }
  }
  return {
    add: (receiver, { at, id }) => entries.set(`${prefix}${timeText(at)}/${id}`, receiver),
    due: (now, holds, free, share, limit) => {
      const taken = new Map<string, number>()
      const found: Array<Entry> = []
      for (const [place, entry, receiver] of all()) {
        if (entry.at > now || found.length >= limit) break
        const count = taken.get(receiver) ?? 0
        if (!holds(entry)) entries.delete(place)
        else if (count < share(receiver) && free(entry.id)) {
          taken.set(receiver, count + 1)
          found.push(entry)
        }
      }
      return found
    },
    nextDueAt: (holds) => {
      for (const [place, entry] of all()) {
        if (holds(entry)) return entry.at
        entries.delete(place)
      }
      return undefined
    },
  }
}

/** Keeps everything in a host's entries. */
export const inEntries = (entries: Entries): Keeping => ({
  map: (name) => mapIn(entries, name),
  ids: (name) => idsIn(entries, name),
  queues: (name) => queuesIn(entries, name),
  family: (name, make) => {
    const open = (member: string) => make(`${name} ${JSON.stringify(member)}`)
    return {
      get: open,
      open,
      drop: (member) =>
        clear(entries, JSON.stringify(`${name} ${JSON.stringify(member)}`).slice(0, -1)),
    }
  },
})
