import type { ConflictReason } from "../../../core/ports/Store.ts"
import type { AuditHead } from "../../../core/audit/AuditEntry.ts"
import { auditEntries } from "../tables/auditEntries.ts"
import { ROW_PARAMETERS } from "./commitFunction.ts"
import { type Part, PARTS } from "./rowSteps.ts"
import type { PreparedCommit } from "./PreparedCommit.ts"
import { TABLES } from "../tables.ts"

/** PostgreSQL notifications hold just under 8,000 bytes; what does not fit says "everything". */
const LONGEST_NOTICE = 7_000
export const EVERYTHING = "*"

/** The literal of an array whose elements need no quotes. */
const plain = (values: ReadonlyArray<number | string>): string => `{${values.join(",")}}`

interface Collected {
  readonly ids: Array<string>
  readonly versions: Array<number>
  readonly commits: Array<number>
}

const partsOf = (group: ReadonlyArray<PreparedCommit>): ReadonlyArray<string> => {
  const collected = new Map<number, Collected>()
  const parts: Array<string> = Array.from({ length: TABLES.length * PARTS.length }, () => "")
  for (const [index, { items }] of group.entries()) {
    for (const { id, part, position, version } of items) {
      const place = position * PARTS.length + PARTS.indexOf(part)
      let of = collected.get(place)
      if (of === undefined) collected.set(place, (of = { ids: [], versions: [], commits: [] }))
      of.ids.push(id)
      of.commits.push(index + 1)
      if (version !== undefined) of.versions.push(version)
    }
  }
  for (const [place, { commits, ids, versions }] of collected) {
    const part = PARTS[place % PARTS.length]
    const first = place - (place % PARTS.length)
    parts[place] = plain(ids)
    parts[first + PARTS.indexOf(`${part}_of` as Part)] = plain(commits)
    if (versions.length > 0) {
      parts[first + PARTS.indexOf(`${part}_version` as Part)] = plain(versions)
    }
  }
  return parts
}

/** For each table the rows that are inserted and those that are replaced. */
const rowsOf = (group: ReadonlyArray<PreparedCommit>): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: ReadonlyArray<Array<string>> = ROW_PARAMETERS.map(() => [])
  for (const [index, { rows: written }] of group.entries()) {
    for (const { change, position, row } of written) {
      rows[position * 2 + (change === "inserted" ? 0 : 1)]?.push(`(${row},${index + 1})`)
    }
  }
  return rows
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

const auditOf = (group: ReadonlyArray<PreparedCommit>, head: AuditHead): ReadonlyArray<string> =>
  group.flatMap(({ audit }, index) =>
    audit === undefined ? [] : [`(${auditEntries.toRow(audit(head))},${index + 1})`],
  )

const noticeOf = (group: ReadonlyArray<PreparedCommit>): string => {
  const notice = group.flatMap(({ announced }) => announced).join(" ")
  return notice.length > LONGEST_NOTICE ? EVERYTHING : notice
}

/** The parameters of the commit function for a group; `head` is where the audit log ends. */
export const groupParameters = (
  group: ReadonlyArray<PreparedCommit>,
  careful: boolean,
  head: AuditHead,
): ReadonlyArray<unknown> => {
  const replies = repliesOf(group)
  return [
    group.length,
    careful,
    partsOf(group),
    ...reservationsOf(group),
    keysOf(group),
    plain(replies.of),
    noticeOf(group),
    replies.rows,
    ...ledgerOf(group),
    auditOf(group, head),
    ...rowsOf(group),
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

/** The answer of the commit function: for each commit why it was refused, if it was. */
export const refusalsOf = (answer: string): ReadonlyArray<ConflictReason | undefined> =>
  (JSON.parse(answer) as ReadonlyArray<string | null>).map((refusal) =>
    refusal === null ? undefined : reasonOf(JSON.parse(refusal) as Refusal),
  )
