import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { DueQueue, type Entry } from "./DueQueue.ts"
import { SortedIds } from "./SortedIds.ts"

interface Versioned {
  readonly id: string
  readonly version: number
}

/** What is looked up of a kind of record besides its id. */
export interface Indexes<R> {
  /** When a worker has to look at the record. */
  readonly dueAt?: (record: R) => Timestamp | null
  /** What no two records may share. */
  readonly names?: (record: R) => ReadonlyArray<string>
  /** The accounts in whose lists the record stands. */
  readonly accounts?: (record: R) => ReadonlyArray<string>
}

/** The records of one kind with their indexes. */
export class Table<R extends Versioned> {
  readonly #records = new Map<string, R>()
  readonly #holders = new Map<string, string>()
  readonly #lists = new Map<string, SortedIds>()
  readonly #leases = new Map<string, Timestamp>()
  readonly #queue = new DueQueue()
  readonly #dueAt: (record: R) => Timestamp | null
  readonly names: (record: R) => ReadonlyArray<string>
  readonly #accounts: (record: R) => ReadonlyArray<string>

  constructor(indexes: Indexes<R> = {}) {
    this.#dueAt = indexes.dueAt ?? (() => null)
    this.names = indexes.names ?? (() => [])
    this.#accounts = indexes.accounts ?? (() => [])
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
    const accounts = this.#accounts(record)
    if (previous !== undefined) this.#unindex(previous, accounts)
    this.#records.set(record.id, record)
    for (const name of this.names(record)) this.#holders.set(name, record.id)
    for (const account of accounts) this.#list(account).add(record.id)
    const at = this.#dueAt(record)
    const queued = previous === undefined ? null : this.#dueAt(previous)
    if (at !== null && at !== queued) this.#queue.add({ at, id: record.id })
  }

  delete(id: string): void {
    const record = this.#records.get(id)
    if (record === undefined) return
    this.#unindex(record, [])
    this.#records.delete(id)
  }

  /** Leases up to `limit` due records, earliest first, and raises their versions. */
  claim(
    now: Timestamp,
    { limit, lease }: { readonly limit: number; readonly lease: number },
  ): ReadonlyArray<R> {
    const claimed: Array<R> = []
    const seen = new Map<string, Entry>()
    while (claimed.length < limit) {
      const entry = this.#queue.first()
      if (entry === undefined || entry.at > now) break
      this.#queue.take()
      const record = this.#recordOf(entry)
      if (record === undefined || seen.has(record.id)) continue
      seen.set(record.id, entry)
      if ((this.#leases.get(record.id) ?? now) > now) continue
      const raised = Object.freeze({ ...record, version: record.version + 1 })
      this.#records.set(record.id, raised)
      this.#leases.set(record.id, now + lease)
      claimed.push(raised)
    }
    for (const entry of seen.values()) this.#queue.add(entry)
    return claimed
  }

  nextDueAt(): Timestamp | undefined {
    for (let entry = this.#queue.first(); entry !== undefined; entry = this.#queue.first()) {
      if (this.#recordOf(entry) !== undefined) return entry.at
      this.#queue.take()
    }
    return undefined
  }

  /** The record of an entry, while it is still due when the entry says. */
  #recordOf({ at, id }: Entry): R | undefined {
    const record = this.#records.get(id)
    return record !== undefined && this.#dueAt(record) === at ? record : undefined
  }

  #unindex(record: R, keptBy: ReadonlyArray<string>): void {
    this.#leases.delete(record.id)
    for (const name of this.names(record)) {
      if (this.#holders.get(name) === record.id) this.#holders.delete(name)
    }
    for (const account of this.#accounts(record)) {
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
