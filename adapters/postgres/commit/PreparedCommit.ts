import type { Reply } from "../../../core/idempotency/Reply.ts"
import {
  ALL_KINDS,
  type Commit,
  type ConflictReason,
  type KeyChange,
  type Kind,
  KINDS,
  type Reservation,
  type Write,
} from "../../../core/ports/Store.ts"
import { flawOf } from "../../../core/ledger/Posting.ts"
import { isUuid } from "../../../core/shared/Id.ts"
import type { AuditAct } from "../../../core/audit/AuditEntry.ts"
import type { Part } from "./rowSteps.ts"
import { positionOf, TABLES } from "../tables.ts"
import { feeDays } from "../tables/feeDays.ts"
import { postings } from "../tables/postings.ts"
import { replies } from "../tables/replies.ts"
import { bareId } from "../tables/codecs.ts"

/** A row's bare id and its role in the commit. `position` is the table's position in `TABLES`. */
export interface Item {
  readonly position: number
  readonly part: Extract<Part, "checked" | "guarded" | "removed">
  readonly id: string
  readonly version?: number
}

/** A written row, as the inside of a row literal. */
export interface WrittenRow {
  readonly position: number
  readonly change: "inserted" | "replaced"
  readonly id: string
  readonly row: string
}

/** The combined changes of a commit to one key. */
export interface KeyOutcome {
  readonly key: string
  /** The owners that release the key before it is claimed. */
  readonly releasers: ReadonlyArray<string>
  /** The first claimant. The key must be free then. */
  readonly claimant: string | null
  /** The final owner, if the key was claimed. */
  readonly keeper: string | null
}

/** The version of a record that a commit rests on. */
export interface Basis {
  readonly kind: Kind
  readonly id: string
  readonly version: number
}

/** A commit in the form in which it is sent. */
export interface PreparedCommit {
  readonly items: ReadonlyArray<Item>
  readonly rows: ReadonlyArray<WrittenRow>
  readonly keys: ReadonlyArray<KeyOutcome>
  readonly reservations: ReadonlyArray<Reservation>
  readonly reply: { readonly name: string; readonly reply: Reply; readonly row: string } | undefined
  readonly postings: ReadonlyArray<string>
  /** Days of fees, which may be stored already. */
  readonly feeDays: ReadonlyArray<string>
  /** Makes the entry of the audit log, once its place is known. */
  readonly audit: AuditAct | undefined
  /** The names of everything it changes. No two commits of a group may share one. */
  readonly changes: ReadonlyArray<string>
  /** The names of the rows that it rests on without changing them. */
  readonly guards: ReadonlyArray<string>
  /** The stored versions that it rests on, by name. */
  readonly bases: ReadonlyMap<string, Basis>
  readonly records: ReadonlyArray<string>
  /** Ids of changed records that other processes may keep in memory. */
  readonly announced: ReadonlyArray<string>
  /** Texts that are too long for a row. Rows refer to them by number. */
  readonly texts: ReadonlyArray<string>
  /** The number of characters of its rows and texts. */
  readonly size: number
}

/** The kinds whose records are cached for a while. */
export const KEPT_IN_MEMORY: ReadonlySet<Kind> = new Set(
  ALL_KINDS.filter((kind) => KINDS[kind].cached !== undefined),
)

/** The name that every entry of the audit log changes, because each needs the previous one. */
const AUDIT_LOG = "audit log"

const rowName = (kind: Kind, id: string): string => `row ${kind} ${id}`

const replyOf = (reply: Reply, texts: Array<string>): PreparedCommit["reply"] => ({
  name: `reply ${reply.account_id} ${reply.key}`,
  reply,
  row: replies.toRow(reply, texts),
})

const keyOutcome = (
  { key, releasers, claimant, keeper }: KeyOutcome,
  { op, owner }: KeyChange,
): KeyOutcome | ConflictReason => {
  if (op === "release") {
    if (claimant === null) return { key, releasers: [...releasers, owner], claimant, keeper }
    return { key, releasers, claimant, keeper: keeper === owner ? null : keeper }
  }
  if (keeper !== null && keeper !== owner) return { type: "key_taken", key, owner: keeper }
  return { key, releasers, claimant: claimant ?? owner, keeper: owner }
}

const keyOutcomes = (
  changes: ReadonlyArray<KeyChange>,
): ReadonlyArray<KeyOutcome> | ConflictReason => {
  const outcomes = new Map<string, KeyOutcome>()
  for (const change of changes) {
    const { key } = change
    const untouched: KeyOutcome = { key, releasers: [], claimant: null, keeper: null }
    const outcome = keyOutcome(outcomes.get(key) ?? untouched, change)
    if ("type" in outcome) return outcome
    outcomes.set(key, outcome)
  }
  return [...outcomes.values()]
}

class Draft {
  readonly items: Array<Item> = []
  readonly rows: Array<WrittenRow> = []
  readonly changes: Array<string> = []
  readonly guards: Array<string> = []
  readonly bases = new Map<string, Basis>()
  readonly records: Array<string> = []
  readonly announced: Array<string> = []
  readonly written = new Set<string>()
  readonly texts: Array<string> = []
  size = 0

  /** Adds a write. Returns undefined unless the write is already known to conflict. */
  write({ op, kind, record }: Write): ConflictReason | undefined {
    const position = positionOf(kind)
    const table = TABLES[position]
    if (table === undefined) return undefined
    const { id, version } = record
    const name = rowName(kind, id)
    if (this.written.has(name)) return { type: "stale_version", kind, id }
    this.written.add(name)
    this.changes.push(name)
    this.records.push(id)
    if (KEPT_IN_MEMORY.has(kind)) this.announced.push(id)
    const bare = bareId(table.prefix, id)
    if (!isUuid(bare)) throw new TypeError(`${JSON.stringify(id)} is no id of a ${kind}`)
    if (op === "insert" && version !== 1) {
      throw new RangeError(`The new ${kind} ${id} has version ${version}, not 1.`)
    }
    if (op !== "insert") {
      this.items.push({ position, part: "checked", id: bare, version })
      this.bases.set(name, { kind, id, version })
    }
    if (op === "remove") this.items.push({ position, part: "removed", id: bare })
    else {
      const row = table.toRow(record, this.texts)
      this.size += row.length
      this.rows.push({ position, change: op === "insert" ? "inserted" : "replaced", id: bare, row })
    }
    return undefined
  }

  guard({ kind, id, version }: Basis): ConflictReason | undefined {
    const position = positionOf(kind)
    const prefix = TABLES[position]?.prefix ?? null
    const bare = prefix === null || id.startsWith(`${prefix}_`) ? bareId(prefix, id) : ""
    // A record without a proper id does not exist.
    if (!isUuid(bare)) return { type: "stale_version", kind, id }
    const name = rowName(kind, id)
    this.items.push({ position, part: "guarded", id: bare, version })
    if (!this.written.has(name)) this.guards.push(name)
    if (!this.bases.has(name)) this.bases.set(name, { kind, id, version })
    return undefined
  }
}

type LedgerRows = Pick<PreparedCommit, "feeDays" | "postings">

/** The ledger rows of most commits, including every creation: none. */
const NOTHING: LedgerRows & { readonly size: number } = { feeDays: [], postings: [], size: 0 }

const ledgerOf = (
  { fee_days = [], postings: given = [] }: Commit,
  texts: Array<string>,
): typeof NOTHING => {
  if (given.length === 0 && fee_days.length === 0) return NOTHING
  const flaw = flawOf(given)
  if (flaw !== undefined) throw new RangeError(`The ledger cannot take this: ${flaw}.`)
  const rows = {
    postings: given.map((posting) => postings.toRow(posting, texts)),
    feeDays: fee_days.map((day) => feeDays.toRow(day, texts)),
  }
  const size = [...rows.postings, ...rows.feeDays].reduce((sum, row) => sum + row.length, 0)
  return { ...rows, size }
}

/**
 * Prepares a commit to be sent, or returns why it can never be stored. A commit of an impossible
 * shape is a defect.
 */
export const prepareCommit = (commit: Commit): PreparedCommit | ConflictReason => {
  const draft = new Draft()
  for (const write of commit.writes) {
    const refused = draft.write(write)
    if (refused !== undefined) return refused
  }
  for (const record of commit.events ?? []) {
    const refused = draft.write({ op: "insert", kind: "event", record })
    if (refused !== undefined) return refused
  }
  for (const guard of commit.guards ?? []) {
    const refused = draft.guard(guard)
    if (refused !== undefined) return refused
  }
  const keys = commit.keys === undefined ? [] : keyOutcomes(commit.keys)
  if ("type" in keys) return keys
  const reply = commit.reply === undefined ? undefined : replyOf(commit.reply, draft.texts)
  for (const { key } of keys) draft.changes.push(`key ${key}`)
  if (reply !== undefined) draft.changes.push(reply.name)
  const { announced, bases, changes, guards, items, records, rows, texts } = draft
  const ledger = ledgerOf(commit, texts)
  const { audit } = commit
  if (audit !== undefined) draft.changes.push(AUDIT_LOG)
  let size = draft.size + ledger.size + (reply?.row.length ?? 0)
  for (const text of texts) size += text.length
  const reservations = commit.reservations ?? []
  return {
    announced,
    audit,
    feeDays: ledger.feeDays,
    postings: ledger.postings,
    bases,
    changes,
    guards,
    items,
    keys,
    records,
    reply,
    reservations,
    rows,
    size,
    texts,
  }
}
