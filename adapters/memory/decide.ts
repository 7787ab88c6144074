import { mayReplace } from "../../core/idempotency/Reply.ts"
import type { FeeDay } from "../../core/ledger/FeeDay.ts"
import { flawOf } from "../../core/ledger/Posting.ts"
import type { Commit, ConflictReason, Kind, Records, Write } from "../../core/ports/Store.ts"
import { frozen } from "./frozen.ts"
import { replyId, type State } from "./State.ts"
import type { Table } from "./Table.ts"

/** Returns the conflict of a commit; undefined without one. Changes nothing. */
export const conflictOf = (state: State, commit: Commit): ConflictReason | undefined =>
  flawed(commit) ??
  staleVersion(state, commit) ??
  takenName(state, commit) ??
  takenKey(state, commit) ??
  reachedLimit(state, commit) ??
  takenReply(state, commit)

/** Stores a commit without a conflict. */
export const apply = (state: State, commit: Commit): void => {
  for (const { op, kind, record } of writesOf(commit)) {
    const table = tableOf(state, kind)
    if (op === "remove") table.delete(record.id)
    else table.set(frozen({ ...record, version: op === "insert" ? 1 : record.version + 1 }))
  }
  for (const { op, key, owner } of commit.keys ?? []) {
    if (op === "claim") state.keys.set(key, owner)
    else if (state.keys.get(key) === owner) state.keys.delete(key)
  }
  for (const { counter, add } of commit.reservations ?? []) {
    state.counters.set(counter, (state.counters.get(counter) ?? 0) + add)
  }
  for (const record of commit.fee_days ?? []) openFeeDay(state, record)
  state.ledger.add(commit.postings ?? [])
  if (commit.reply !== undefined) {
    state.replies.set(replyId(commit.reply.account_id, commit.reply.key), frozen(commit.reply))
  }
  if (commit.audit !== undefined) state.audit.add(commit.audit)
}

const openFeeDay = ({ tables }: State, record: FeeDay): void => {
  const stored = tables.fee_day.get(record.id)
  if (stored === undefined) tables.fee_day.set(frozen(record))
  else if (stored.version > 1) {
    const again = { ...stored, version: stored.version + 1, due_at: record.due_at }
    tables.fee_day.set(frozen(again))
  }
}

/** Returns the records of a commit, including its events. */
export const writesOf = (commit: Commit): ReadonlyArray<Write> =>
  commit.events === undefined
    ? commit.writes
    : [
        ...commit.writes,
        ...commit.events.map((record) => ({ op: "insert", kind: "event", record }) as const),
      ]

const tableOf = (state: State, kind: Kind): Table<Records[Kind]> =>
  state.tables[kind] as Table<Records[Kind]>

const flawed = ({ postings }: Commit): undefined => {
  const flaw = postings === undefined ? undefined : flawOf(postings)
  if (flaw !== undefined) throw new RangeError(`The ledger cannot take this: ${flaw}.`)
  return undefined
}

const staleVersion = (state: State, commit: Commit): ConflictReason | undefined => {
  const written = new Set<string>()
  for (const { op, kind, record } of writesOf(commit)) {
    if (op === "insert" && record.version !== 1) {
      throw new RangeError(`The new ${kind} ${record.id} has version ${record.version}, not 1.`)
    }
    const stored = tableOf(state, kind).get(record.id)?.version
    const expected = op === "insert" ? undefined : record.version
    const name = `${kind} ${record.id}`
    if (stored !== expected || written.has(name)) {
      return { type: "stale_version", kind, id: record.id }
    }
    written.add(name)
  }
  for (const { kind, id, version } of commit.guards ?? []) {
    if (tableOf(state, kind).get(id)?.version !== version) {
      return { type: "stale_version", kind, id }
    }
  }
  return undefined
}

/** Whether a write gives its record names, or removes some. */
const changesNames = (state: State, { op, kind, record }: Write): boolean => {
  const table = tableOf(state, kind)
  if (!table.isNamed) return false
  const stored = op === "replace" ? table.get(record.id) : undefined
  return stored === undefined || !table.isPlacedAs(record, stored)
}

/** Returns the conflict if a record of the commit would take another record's name. */
const takenName = (state: State, commit: Commit): ConflictReason | undefined => {
  const writes = commit.writes.filter((write) => changesNames(state, write))
  if (writes.length === 0) return undefined
  const given = new Map<string, string>()
  const freed = new Set<string>()
  for (const { kind, record } of writes) {
    const table = tableOf(state, kind)
    const stored = table.get(record.id)
    for (const name of stored === undefined ? [] : table.names(stored)) freed.add(`${kind} ${name}`)
  }
  for (const { op, kind, record } of writes) {
    if (op === "remove") continue
    const table = tableOf(state, kind)
    for (const name of table.names(record)) {
      const key = `${kind} ${name}`
      const owner = given.get(key) ?? (freed.has(key) ? undefined : table.holder(name))
      if (owner !== undefined && owner !== record.id) return { type: "key_taken", key, owner }
      given.set(key, record.id)
    }
  }
  return undefined
}

const takenKey = (state: State, commit: Commit): ConflictReason | undefined => {
  const changed = new Map<string, string | undefined>()
  for (const { op, key, owner } of commit.keys ?? []) {
    const holder = changed.has(key) ? changed.get(key) : state.keys.get(key)
    if (op === "release") {
      if (holder === owner) changed.set(key, undefined)
      continue
    }
    if (holder !== undefined && holder !== owner) return { type: "key_taken", key, owner: holder }
    changed.set(key, owner)
  }
  return undefined
}

const reachedLimit = (state: State, commit: Commit): ConflictReason | undefined => {
  const added = new Map<string, number>()
  for (const { counter, add, limit } of commit.reservations ?? []) {
    const value = added.get(counter) ?? state.counters.get(counter) ?? 0
    if (add > 0 && value + add > limit) return { type: "limit_reached", counter, value }
    added.set(counter, value + add)
  }
  return undefined
}

const takenReply = ({ replies }: State, { reply }: Commit): ConflictReason | undefined =>
  reply === undefined ||
  mayReplace(replies.get(replyId(reply.account_id, reply.key)), reply, reply.created_at)
    ? undefined
    : { type: "reply_taken" }
