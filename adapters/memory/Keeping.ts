import { DueQueues, type KeptQueues } from "./DueQueues.ts"
import { type KeptIds, SortedIds } from "./SortedIds.ts"

/** Values by name. */
export interface Kept<V> {
  readonly get: (name: string) => V | undefined
  readonly set: (name: string, value: V) => unknown
  readonly delete: (name: string) => boolean
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<V>
  readonly [Symbol.iterator]: () => Iterator<readonly [name: string, value: V]>
}

/** Objects of one kind, one per member, such as an account. */
export interface Family<T> {
  /** Returns the member's object; undefined if it surely has none. */
  readonly get: (member: string) => T | undefined
  readonly open: (member: string) => T
  readonly drop: (member: string) => void
}

/** The medium of a store: memory, or a host's entries. Each name is used once. */
export interface Keeping {
  readonly map: <V>(name: string) => Kept<V>
  readonly ids: (name: string) => KeptIds
  readonly queues: (name: string) => KeptQueues
  /** `make` gives its own objects names that begin with the member's name. */
  readonly family: <T>(name: string, make: (name: string) => T) => Family<T>
}

const family = <T>(name: string, make: (name: string) => T): Family<T> => {
  const members = new Map<string, T>()
  return {
    get: (member) => members.get(member),
    open: (member) => {
      const known = members.get(member)
      if (known !== undefined) return known
      const made = make(`${name} ${member}`)
      members.set(member, made)
      return made
    },
    drop: (member) => void members.delete(member),
  }
}

/** Keeps everything in this process's memory. */
export const IN_MEMORY: Keeping = {
  map: <V>() => new Map<string, V>(),
  ids: () => new SortedIds(),
  queues: () => new DueQueues(),
  family,
}
