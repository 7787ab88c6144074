import type { Guard } from "../../commits/Commit.ts"
import { defineKind } from "../../commits/KindDeclaration.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"

/**
 * The names of the consumers that are told of every event, in all processes on the store. There is
 * one such list. It exists from the first consumer on.
 */
export interface ConsumerList {
  readonly id: typeof CONSUMERS
  readonly version: number
  readonly names: ReadonlyArray<string>
  readonly created_at: Timestamp
}

/** The id of the one list. */
export const CONSUMERS = "cons_00000000-0000-7000-8000-000000000000"

/** Returns the list with more names, to be written; undefined if it has them all. */
export const withNames = (
  list: ConsumerList | undefined,
  names: ReadonlyArray<string>,
  now: Timestamp,
): ConsumerList | undefined => {
  const known = list?.names ?? []
  const added = names.filter((name) => !known.includes(name))
  if (added.length === 0) return undefined
  const first: ConsumerList = { id: CONSUMERS, version: 1, names: [], created_at: now }
  return { ...(list ?? first), names: [...known, ...new Set(added)] }
}

/** Returns the list without a name; undefined if it does not have that name. */
export const withoutName = (
  list: ConsumerList | undefined,
  name: string,
): ConsumerList | undefined =>
  list?.names.includes(name) === true
    ? { ...list, names: list.names.filter((other) => other !== name) }
    : undefined

/** Returns the guard of a commit that was decided by the list. */
export const guardOf = ({ id, version }: ConsumerList): Guard => ({
  kind: "consumer_list",
  id,
  version,
})

declare module "../../commits/Records.ts" {
  interface Records {
    readonly consumer_list: ConsumerList
  }
}

/**
 * How the list is kept: the dispatch of events reads it. Its absence is not cached, because nothing
 * guards a commit that was decided by it: the first consumer would lose events.
 */
export const consumerListKind = defineKind("consumer_list", {
  prefix: "cons",
  erased: false,
  cached: "found",
})
