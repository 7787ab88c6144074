import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { ClaimOptions } from "../../core/ports/Store.ts"
import type { Entry } from "./DueQueue.ts"
import { DueQueues } from "./DueQueues.ts"
import { SortedIds } from "./SortedIds.ts"

interface Versioned {
  readonly id: string
  readonly version: number
}

/** What of its kind's declaration a table goes by. */
export interface Declared<R> {
  readonly dueAt?: (record: R) => Timestamp | null
  readonly receiver?: (record: R) => string
  readonly claimed?: (record: R) => R
  readonly names?: (record: R) => ReadonlyArray<string>
  readonly lists?: (record: R) => ReadonlyArray<string>
}

/** The records of one kind with their declared. */
export class Table<R extends Versioned> {
  readonly #records = new Map<string, R>()
  readonly #holders = new Map<string, string>()
  readonly #lists = new Map<string, SortedIds>()
  readonly #leases = new Map<string, Timestamp>()
  readonly #queues = new DueQueues()
  readonly #dueAt: (record: R) => Timestamp | null
  readonly #receiver: (record: R) => string
  readonly #claimed: (record: R) => R
  readonly names: (record: R) => ReadonlyArray<string>
  /** Whether records of the kind have names at all. */
  readonly isNamed: boolean
  readonly #memberships: (record: R) => ReadonlyArray<string>

  constructor(declared: Declared<R>) {
    this.#dueAt = declared.dueAt ?? (() => null)
    this.#receiver = declared.receiver ?? (() => "")
    this.#claimed = declared.claimed ?? ((record) => record)
    this.names = declared.names ?? (() => [])
    this.isNamed = declared.names !== undefined
    this.#memberships = declared.lists ?? (() => [])
  }

  get(id: string): R | undefined {
    return this.#records.get(id)
  }

  values(): Iterable<R> {
    return this.#records.values()
  }

  /** The id of the record that has the name. */
  holder(name: string): string | undefined {
    return this.#holders.get(name)
  }

  named(name: string): R | undefined {
    return this.#records.get(this.#holders.get(name) ?? "")
  }

  /** The records in an account's list, newest first, from behind `after` where it is given. */
  *listed(account: string, after?: string): Generator<R> {
    for (const id of this.#lists.get(account)?.newestFirst(after) ?? []) {
      const record = this.#records.get(id)
      if (record !== undefined) yield record
    }
  }

  /** Stores the record over what has its id; a lease on it ends. */
  set(record: R): void {
    const previous = this.#records.get(record.id)
    const accounts = this.#memberships(record)
    if (previous !== undefined) this.#unindex(previous, accounts)
    this.#records.set(record.id, record)
    for (const name of this.names(record)) this.#holders.set(name, record.id)
    for (const account of accounts) this.#list(account).add(record.id)
    const at = this.#dueAt(record)
    const queued = previous === undefined ? null : this.#dueAt(previous)
    if (at !== null && at !== queued)
      this.#queues.add(this.#receiver(record), { at, id: record.id })
  }

  delete(id: string): void {
    const record = this.#records.get(id)
    if (record === undefined) return
    this.#unindex(record, [])
    this.#records.delete(id)
  }

  /** Leases up to `limit` due records, earliest first, and raises their versions. */
  claim(now: Timestamp, { lease, limit, shares }: ClaimOptions): ReadonlyArray<R> {
    const free = (id: string): boolean => (this.#leases.get(id) ?? now) <= now
    const share = (receiver: string) =>
      shares === undefined ? limit : (shares.left.get(receiver) ?? shares.each)
    const entries = this.#queues.due(now, this.#holds, free, share).slice(0, limit)
    return entries.flatMap(({ id }) => {
      const record = this.#records.get(id)
      if (record === undefined) return []
      const raised = Object.freeze({ ...this.#claimed(record), version: record.version + 1 })
      this.#records.set(id, raised)
      this.#leases.set(id, now + lease)
      return [raised]
    })
  }

  nextDueAt(): Timestamp | undefined {
    return this.#queues.nextDueAt(this.#holds)
  }

  /** Whether a record is still due when its entry says. */
  readonly #holds = ({ at, id }: Entry): boolean => {
    const record = this.#records.get(id)
    return record !== undefined && this.#dueAt(record) === at
  }

  #unindex(record: R, keptBy: ReadonlyArray<string>): void {
    this.#leases.delete(record.id)
    for (const name of this.names(record)) {
      if (this.#holders.get(name) === record.id) this.#holders.delete(name)
    }
    for (const account of this.#memberships(record)) {
      if (!keptBy.includes(account)) this.#list(account).delete(record.id)
    }
  }

  #list(account: string): SortedIds {
    const known = this.#lists.get(account)
    if (known !== undefined) return known
    const list = new SortedIds()
    this.#lists.set(account, list)
    return list
  }
}
