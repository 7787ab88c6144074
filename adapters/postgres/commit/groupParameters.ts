import type { ConflictReason } from "../../../core/ports/Store.ts"
import type { AuditHead } from "../../../core/audit/AuditEntry.ts"
import { auditEntries } from "../tables/auditEntries.ts"
import { type Phase, PHASES, placeOf, rowPlaceOf } from "./rowSteps.ts"
import type { Item, PreparedCommit } from "./PreparedCommit.ts"
import { TABLES } from "../tables.ts"

/** PostgreSQL notifications hold just under 8,000 bytes. Longer lists become "everything". */
const LONGEST_NOTICE = 7_000
export const EVERYTHING = "*"

/** Returns an array literal of elements that need no quotes. */
const plain = (values: ReadonlyArray<number | string>): string => `{${values.join(",")}}`

/** The tables that a group touches in each phase, as the sum of their bits. */
class Masks {
  readonly #sums = new Map<Phase, number>()
  readonly #seen = new Set<string>()

  add(phase: Phase, position: number): void {
    const name = `${phase} ${position}`
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    this.#sums.set(phase, (this.#sums.get(phase) ?? 0) + 2 ** position)
  }

  /** Returns the masks in the order of the phases. */
  texts(): ReadonlyArray<string> {
    return PHASES.map((phase) => String(this.#sums.get(phase) ?? 0))
  }
}

interface Collected {
  readonly position: number
  readonly part: Item["part"]
  readonly ids: Array<string>
  readonly versions: Array<number>
  readonly commits: Array<number>
}

const partsOf = (group: ReadonlyArray<PreparedCommit>, masks: Masks): ReadonlyArray<unknown> => {
  const collected = new Map<number, Collected>()
  for (const [index, { items }] of group.entries()) {
    for (const { id, part, position, version } of items) {
      const place = placeOf(position, part)
      let of = collected.get(place)
      if (of === undefined) {
        collected.set(place, (of = { position, part, ids: [], versions: [], commits: [] }))
        masks.add(part, position)
      }
      of.ids.push(id)
      of.commits.push(index + 1)
      if (version !== undefined) of.versions.push(version)
    }
  }
  const places: Array<number> = []
  const parts: Array<string> = []
  const give = (place: number, values: ReadonlyArray<number | string>) => {
    places.push(place)
    parts.push(plain(values))
  }
  for (const { commits, ids, part, position, versions } of collected.values()) {
    give(placeOf(position, part), ids)
    give(placeOf(position, `${part}_of`), commits)
    if (part !== "removed") give(placeOf(position, `${part}_version`), versions)
  }
  return [plain(places), parts]
}

/** Returns the rows of all tables in one array, with each table's place, start and end (from 1). */
const rowsOf = (group: ReadonlyArray<PreparedCommit>, masks: Masks): ReadonlyArray<unknown> => {
  const byPlace = new Map<number, Array<string>>()
  for (const [index, { rows: written }] of group.entries()) {
    for (const { change, position, row } of written) {
      const place = rowPlaceOf(position, change)
      let rows = byPlace.get(place)
      if (rows === undefined) {
        byPlace.set(place, (rows = []))
        masks.add(change, position)
      }
      rows.push(`(${row},${index + 1})`)
    }
  }
  const starts: Array<number> = []
  const ends: Array<number> = []
  const all: Array<string> = []
  for (const rows of byPlace.values()) {
    starts.push(all.length + 1)
    for (const row of rows) all.push(row)
    ends.push(all.length)
  }
  return [plain([...byPlace.keys()]), plain(starts), plain(ends), all]
}

const reservationsOf = (group: ReadonlyArray<PreparedCommit>) => {
  const numbers = new Map<string, number>()
  const to: Array<number> = []
  const added: Array<number> = []
  const limits: Array<number> = []
  const of: Array<number> = []
  for (const [index, { reservations }] of group.entries()) {
    for (const { counter, add, limit } of reservations) {
      const number = numbers.get(counter) ?? numbers.size + 1
      numbers.set(counter, number)
      to.push(number)
      added.push(add)
      limits.push(limit)
      of.push(index + 1)
    }
  }
  const names = numbers.size === 0 ? "" : JSON.stringify([...numbers.keys()])
  return [names, plain(to), plain(added), plain(limits), plain(of)]
}

const keysOf = (group: ReadonlyArray<PreparedCommit>): string => {
  const changes = group.flatMap(({ keys }, index) =>
    keys.map((change) => ({ ...change, commit_no: index + 1 })),
  )
  return changes.length === 0 ? "" : JSON.stringify(changes)
}

const repliesOf = (group: ReadonlyArray<PreparedCommit>) => {
  const rows: Array<string> = []
  const of: Array<number> = []
  for (const [index, { reply }] of group.entries()) {
    if (reply === undefined) continue
    rows.push(`(${reply.row},${index + 1})`)
    of.push(index + 1)
  }
  return { rows, of }
}

const ledgerOf = (group: ReadonlyArray<PreparedCommit>) => {
  const feeDays: Array<string> = []
  const postings: Array<string> = []
  for (const [index, prepared] of group.entries()) {
    for (const row of prepared.feeDays) feeDays.push(`(${row},${index + 1})`)
    for (const row of prepared.postings) postings.push(`(${row},${index + 1})`)
  }
  return [feeDays, postings]
}

/** Returns the texts of all commits in one array, and how many precede each commit's own. */
const textsOf = (group: ReadonlyArray<{ readonly texts: ReadonlyArray<string> }>) => {
  const all: Array<string> = []
  const before: Array<number> = []
  for (const { texts } of group) {
    before.push(all.length)
    for (const text of texts) all.push(text)
  }
  return [plain(before), all]
}

/** Adds the entries of the audit log to the commits. Their place is known only now. */
const withAudit = (group: ReadonlyArray<PreparedCommit>, head: AuditHead) => {
  const rows: Array<string> = []
  const texts = group.map(({ audit, texts: own }, index) => {
    if (audit === undefined) return { texts: own }
    const all = [...own]
    rows.push(`(${auditEntries.toRow(audit(head), all)},${index + 1})`)
    return { texts: all }
  })
  return { rows, texts }
}

const noticeOf = (group: ReadonlyArray<PreparedCommit>): string => {
  const notice = group.flatMap(({ announced }) => announced).join(" ")
  return notice.length > LONGEST_NOTICE ? EVERYTHING : notice
}

/** Returns the commit function's parameters for a group; `head` is the end of the audit log. */
export const groupParameters = (
  group: ReadonlyArray<PreparedCommit>,
  careful: boolean,
  head: AuditHead,
): ReadonlyArray<unknown> => {
  const replies = repliesOf(group)
  const masks = new Masks()
  const parts = partsOf(group, masks)
  const rows = rowsOf(group, masks)
  const audit = withAudit(group, head)
  return [
    group.length,
    careful,
    ...masks.texts(),
    ...parts,
    ...rows,
    ...textsOf(audit.texts),
    ...reservationsOf(group),
    keysOf(group),
    plain(replies.of),
    noticeOf(group),
    replies.rows,
    ...ledgerOf(group),
    audit.rows,
  ]
}

type Refusal =
  | readonly ["stale_version", position: number, id: string]
  | readonly ["key_taken", key: string, owner: string]
  | readonly ["limit_reached", counter: string, value: number]
  | readonly ["reply_taken"]

const reasonOf = (refusal: Refusal): ConflictReason => {
  switch (refusal[0]) {
    case "stale_version": {
      const table = TABLES[refusal[1]]
      if (table === undefined) throw new TypeError("The commit function named no table of ours")
      const id = table.prefix === null ? refusal[2] : `${table.prefix}_${refusal[2]}`
      return { type: "stale_version", kind: table.kind, id }
    }
    case "key_taken":
      return { type: "key_taken", key: refusal[1], owner: refusal[2] }
    case "limit_reached":
      return { type: "limit_reached", counter: refusal[1], value: refusal[2] }
    case "reply_taken":
      return { type: "reply_taken" }
  }
}

/** Reads the commit function's answer: for each commit why it was refused, or undefined. */
export const refusalsOf = (answer: string): ReadonlyArray<ConflictReason | undefined> =>
  (JSON.parse(answer) as ReadonlyArray<string | null>).map((refusal) =>
    refusal === null ? undefined : reasonOf(JSON.parse(refusal) as Refusal),
  )
