import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { ClaimOptions } from "../../core/ports/Store.ts"
import type { Entry } from "./DueQueue.ts"
import type { KeptQueues } from "./DueQueues.ts"
import type { Family, Keeping, Kept } from "./Keeping.ts"
import { choices, type Condition, keyOf, matches, placeIn, sharesFields } from "./Names.ts"
import { type KeptIds, mergeNewest } from "./SortedIds.ts"

interface Versioned {
  readonly id: string
  readonly version: number
}

/** The part of its kind's declaration that a table uses. */
export interface Declared<R> {
  readonly dueAt?: (record: R) => Timestamp | null
  readonly receiver?: (record: R) => string
  readonly claimed?: (record: R) => R
  readonly unique?: ReadonlyArray<{
    readonly by: ReadonlyArray<string>
    readonly while?: Condition
  }>
  readonly lists?: ReadonlyArray<ReadonlyArray<string>>
}

/** The query of a list of records. */
interface Listing {
  readonly by: Condition
  readonly order?: "newest" | "oldest"
  readonly after?: string | undefined
  readonly from?: string | undefined
  readonly limit?: number
}

/** Returns the first records that match, at most `limit`. */
export const first = <A>(
  limit: number,
  records: Iterable<A>,
  isAsked: (record: A) => boolean,
): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const record of records) {
    if (taken.length >= limit) break
    if (isAsked(record)) taken.push(record)
  }
  return taken
}

/** The records of one kind, indexed as the kind declares. */
export class Table<R extends Versioned> {
  readonly #records: Kept<R>
  readonly #holders: Kept<string>
  readonly #lists: Family<KeptIds>
  readonly #leases: Kept<Timestamp>
  readonly #queues: KeptQueues
  readonly #dueAt: (record: R) => Timestamp | null
  readonly #receiver: (record: R) => string
  readonly #claimed: (record: R) => R
  readonly #unique: NonNullable<Declared<R>["unique"]>
  readonly #listed: NonNullable<Declared<R>["lists"]>
  /** The fields of names and lists. */
  readonly #placing: ReadonlyArray<string>

  constructor(declared: Declared<R>, keeping: Keeping, kind: string) {
    this.#records = keeping.map(`records ${kind}`)
    this.#holders = keeping.map(`names ${kind}`)
    this.#lists = keeping.family(`lists ${kind}`, keeping.ids)
    this.#leases = keeping.map(`leases ${kind}`)
    this.#queues = keeping.queues(`due ${kind}`)
    this.#dueAt = declared.dueAt ?? (() => null)
    this.#receiver = declared.receiver ?? (() => "")
    this.#claimed = declared.claimed ?? ((record) => record)
    this.#unique = declared.unique ?? []
    this.#listed = declared.lists ?? []
    const named = this.#unique.flatMap(({ by, while: condition = {} }) => [
      ...by,
      ...Object.keys(condition),
    ])
    this.#placing = [...new Set([...named, ...this.#listed.flat()])]
  }

  get(id: string): R | undefined {
    return this.#records.get(id)
  }

  values(): Iterable<R> {
    return this.#records.values()
  }

  /** Whether records of the kind have names. */
  get isNamed(): boolean {
    return this.#unique.length > 0
  }

  /** Returns the names of the record, which no other record of the kind may have. */
  names(record: R): ReadonlyArray<string> {
    return this.#unique.flatMap(({ by, while: condition = {} }) =>
      matches(record, condition) ? (placeIn(record, by) ?? []) : [],
    )
  }

  /** Whether one record can replace the other in all names and lists, as with most changes. */
  isPlacedAs(record: R, other: R): boolean {
    return sharesFields(record, other, this.#placing)
  }

  /** Returns the id of the record with that name. */
  holder(name: string): string | undefined {
    return this.#holders.get(name)
  }

  /** Returns the record with that unique name. */
  named(name: Condition): R | undefined {
    const fields = Object.keys(name)
    const asked = this.#unique.find(
      ({ by }) => by.length === fields.length && by.every((field) => field in name),
    )
    if (asked === undefined) return undefined
    const values = asked.by.map((field) => name[field])
    return this.#records.get(this.#holders.get(keyOf(asked.by, values)) ?? "")
  }

  /** Returns the records of a list. */
  list({ by, order, after, from, limit = Infinity }: Listing): ReadonlyArray<R> {
    const isAsked = (record: R): boolean =>
      (from === undefined || record.id >= from) && matches(record, by)
    if (order !== "oldest") return first(limit, this.newest([by], after), isAsked)
    const all = [...this.newest([by])].toReversed()
    return first(
      limit,
      all,
      (record) => (after === undefined || record.id > after) && isAsked(record),
    )
  }

  /** Yields the records of several lists, each once: newest first, after `after`. */
  *newest(each: ReadonlyArray<Condition>, after?: string): Generator<R> {
    const lists = each.flatMap((by) => {
      const fields = this.#fieldsOf(by)
      return choices(by, fields).flatMap((values) => this.#lists.get(keyOf(fields, values)) ?? [])
    })
    for (const id of mergeNewest(lists, after)) {
      const record = this.#records.get(id)
      if (record !== undefined) yield record
    }
  }

  /** Returns the longest declared list whose fields are all in the condition. */
  #fieldsOf(by: Condition): ReadonlyArray<string> {
    const [fields] = this.#listed
      .filter((list) => list.every((field) => by[field] !== undefined))
      .toSorted((a, b) => b.length - a.length)
    if (fields === undefined)
      throw new TypeError(`No list can be filtered by ${Object.keys(by).join(", ")}.`)
    return fields
  }

  /** Stores the record over the one with its id, and ends its lease. */
  set(record: R): void {
    const previous = this.#records.get(record.id)
    if (previous === undefined || !this.isPlacedAs(record, previous)) this.#index(record, previous)
    this.#records.set(record.id, record)
    this.#leases.delete(record.id)
    const at = this.#dueAt(record)
    const queued = previous === undefined ? null : this.#dueAt(previous)
    if (at !== null && at !== queued)
      this.#queues.add(this.#receiver(record), { at, id: record.id })
  }

  delete(id: string): void {
    const record = this.#records.get(id)
    if (record === undefined) return
    this.#unindex(record, [])
    this.#leases.delete(id)
    this.#records.delete(id)
  }

  /** Leases up to `limit` due records, earliest first, and raises their versions. */
  claim(now: Timestamp, { ahead = 0, lease, limit, shares }: ClaimOptions): ReadonlyArray<R> {
    const leasedAt = now - ahead
    const free = (id: string): boolean => (this.#leases.get(id) ?? leasedAt) <= leasedAt
    const share = (receiver: string) =>
      shares === undefined ? limit : (shares.left.get(receiver) ?? shares.each)
    const entries = this.#queues.due(now, this.#holds, free, share, limit).slice(0, limit)
    return entries.flatMap(({ id }) => {
      const record = this.#records.get(id)
      if (record === undefined) return []
      const raised = Object.freeze({ ...this.#claimed(record), version: record.version + 1 })
      this.#records.set(id, raised)
      this.#leases.set(id, leasedAt + lease)
      return [raised]
    })
  }

  nextDueAt(): Timestamp | undefined {
    return this.#queues.nextDueAt(this.#holds)
  }

  /** Whether a record is still due at its entry's time. */
  readonly #holds = ({ at, id }: Entry): boolean => {
    const record = this.#records.get(id)
    return record !== undefined && this.#dueAt(record) === at
  }

  #index(record: R, previous: R | undefined): void {
    const lists = this.#memberships(record)
    if (previous !== undefined) this.#unindex(previous, lists)
    for (const name of this.names(record)) this.#holders.set(name, record.id)
    for (const list of lists) this.#lists.open(list).add(record.id)
  }

  #unindex(record: R, keptBy: ReadonlyArray<string>): void {
    for (const name of this.names(record)) {
      if (this.#holders.get(name) === record.id) this.#holders.delete(name)
    }
    for (const list of this.#memberships(record)) {
      if (!keptBy.includes(list)) this.#lists.open(list).delete(record.id)
    }
  }

  #memberships(record: R): ReadonlyArray<string> {
    return this.#listed.flatMap((fields) => placeIn(record, fields) ?? [])
  }
}
