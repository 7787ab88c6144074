import { canonicalJson } from "../../../core/shared/Text.ts"
import {
  type Commit,
  type Kind,
  KINDS,
  type Records,
  type Write,
} from "../../../core/ports/Store.ts"
import { int, type Itf, map, set, tuple } from "../Itf.ts"

/** The model's knowledge of a store, by cell. */
export interface Cells {
  readonly records: Map<string, Itf>
  readonly keys: Map<string, Itf>
  readonly counters: Map<string, Itf>
  readonly replies: Map<string, Itf>
}

export const emptyCells = (): Cells => ({
  records: new Map(),
  keys: new Map(),
  counters: new Map(),
  replies: new Map(),
})

/** A record's name in the model. */
export const idOf = (kind: Kind, id: string): string => `${kind} ${id}`

export const replyKey = (accountId: string, key: string): string => `${accountId} ${key}`

/** Returns the lifecycle of a record; undefined if its kind has none. */
export const machineOf = (kind: Kind, record: Records[Kind]): string | undefined => {
  switch (kind) {
    case "payment_intent":
      return (record as Records["payment_intent"]).flow
    case "service":
      return "service_manifest"
    case "endpoint":
      return "webhook_endpoint"
    case "delivery":
      return "webhook_delivery"
    case "refund":
    case "refund_request":
    case "revocation":
    case "mandate":
    case "channel_request":
    case "subscription":
    case "invoice":
    case "verification":
    case "appeal":
      return kind
    default:
      return undefined
  }
}

/** The status of a record that has a lifecycle; "" for others. */
const statusOf = (kind: Kind, record: Records[Kind]): string =>
  machineOf(kind, record) === undefined ? "" : (record as { readonly status: string }).status

type Unique = {
  readonly by: ReadonlyArray<string>
  readonly while?: { readonly [field: string]: ReadonlyArray<unknown> }
}

/**
 * Returns the names that a record must not share with another of its kind, by the kind's
 * declaration.
 */
export const namesOf = (kind: Kind, record: Records[Kind]): ReadonlyArray<string> => {
  const { unique = [] } = KINDS[kind] as { readonly unique?: ReadonlyArray<Unique> }
  const fields = record as { readonly [field: string]: unknown }
  return unique.flatMap(({ by, while: condition = {} }) => {
    const named = by.every((field) => fields[field] !== null && fields[field] !== undefined)
    const holds = Object.entries(condition).every(([field, values]) =>
      values.includes(fields[field]),
    )
    return named && holds ? [canonicalJson([kind, by, by.map((field) => fields[field])])] : []
  })
}

const id = (name: string): Itf => tuple(name, int(0))

/** A record as the model keeps it. */
export const recordCell = (kind: Kind, record: Records[Kind]): Itf => ({
  version: int(record.version),
  status: statusOf(kind, record),
  names: set(namesOf(kind, record)),
  by: id(""),
})

/** All writes of a commit; its events are records, too. */
export const writesOf = ({ events = [], writes }: Commit): ReadonlyArray<Write> => [
  ...writes,
  ...events.map((record): Write => ({ op: "insert", kind: "event", record })),
]

/** A commit as the model has it. */
export const commitOf = (commit: Commit): Itf => ({
  tag: id(""),
  writes: writesOf(commit).map(({ kind, op, record }) => ({
    op,
    id: id(idOf(kind, record.id)),
    version: int(record.version),
    status: statusOf(kind, record),
    names: set(namesOf(kind, record)),
  })),
  guards: set(
    (commit.guards ?? []).map((guard) => ({
      id: id(idOf(guard.kind, guard.id)),
      version: int(guard.version),
    })),
  ),
  keys: (commit.keys ?? []).map(({ key, op, owner }) => ({ op, key, owner: id(owner) })),
  reservations: (commit.reservations ?? []).map(({ add, counter, limit }) => ({
    counter,
    add: int(add),
    limit: int(Math.min(limit, Number.MAX_SAFE_INTEGER)),
  })),
  replies: set(
    [commit.reply ?? []].flat().map((reply) => ({
      key: replyKey(reply.account_id, reply.key),
      holder: id(reply.holder),
      answered: reply.answer !== null,
      created_at: int(reply.created_at),
      expires_at: int(reply.expires_at),
    })),
  ),
  fee_days: set((commit.fee_days ?? []).map((day) => id(idOf("fee_day", day.id)))),
})

const restricted = (
  cells: ReadonlyMap<string, Itf>,
  names: Iterable<string>,
  named: (name: string) => Itf = (name) => name,
): Itf =>
  map(
    [...new Set(names)].flatMap((name) => {
      const cell = cells.get(name)
      return cell === undefined ? [] : [[named(name), cell] as const]
    }),
  )

/**
 * Returns the model's cells of everything that a commit names, and of the `holders` of its unique
 * names.
 */
export const touchedBy = (cells: Cells, commit: Commit, holders: Iterable<string>): Itf => {
  const records = [
    ...writesOf(commit).map(({ kind, record }) => idOf(kind, record.id)),
    ...(commit.guards ?? []).map((guard) => idOf(guard.kind, guard.id)),
    ...(commit.fee_days ?? []).map((day) => idOf("fee_day", day.id)),
    ...holders,
  ]
  const replies = [commit.reply ?? []].flat().map((reply) => replyKey(reply.account_id, reply.key))
  return {
    records: restricted(cells.records, records, id),
    keys: restricted(
      cells.keys,
      (commit.keys ?? []).map(({ key }) => key),
    ),
    counters: restricted(
      cells.counters,
      (commit.reservations ?? []).map((each) => each.counter),
    ),
    replies: restricted(cells.replies, replies),
    done: map([]),
  }
}
