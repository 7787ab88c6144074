import type { Commit, ConflictReason, Kind, Records } from "../../../core/ports/Store.ts"
import { int, type Itf, show } from "../Itf.ts"
import type { Model, Value } from "../Quint.ts"
import {
  type Cells,
  commitOf,
  emptyCells,
  idOf,
  machineOf,
  namesOf,
  recordCell,
  touchedBy,
  writesOf,
} from "./cells.ts"

type Entries = ReadonlyArray<readonly [Itf, Itf]>
type Db = { readonly [part in "records" | "keys" | "counters" | "replies"]: { "#map": Entries } }
type Names = { readonly "#set": ReadonlyArray<string> }
type RecordCell = { readonly version: { "#bigint": string }; readonly names: Names }
type Walk = { readonly to: string; readonly told: Names }

const nameIn = (id: Itf): string => (id as { "#tup": ReadonlyArray<string> })["#tup"][0] ?? ""
const namesIn = (cell: Itf | undefined): ReadonlyArray<string> =>
  cell === undefined ? [] : (cell as RecordCell).names["#set"]
const statusIn = (cell: Itf | undefined): string | undefined =>
  (cell as { readonly status: string } | undefined)?.status

/** The outcome of a commit: stored, or refused for a reason. */
export type Outcome =
  /** `given`: a record of the world's beginning, created in a later state than its first. */
  { readonly type: "stored"; readonly given: boolean } | ConflictReason

/** Reads a record's version, counters and a reply from the store. */
export interface Look {
  readonly version: (kind: Kind, id: string) => number | undefined
  readonly counters: (names: ReadonlyArray<string>) => ReadonlyArray<number>
}

/**
 * The model of a store, moved by the commits of a real one. It computes its own versions, keys,
 * counters and replies, and takes nothing from the store.
 */
export class StoreModel {
  readonly found: Array<string> = []
  commits = 0
  refusals = 0
  moves = 0
  readonly #model: Model
  readonly #cells: Cells = emptyCells()
  readonly #holders = new Map<string, string>()
  readonly #walks = new Map<string, ReadonlyArray<Walk>>()
  readonly #vocabulary = new Map<string, ReadonlySet<string>>()
  readonly #reasons: () => Value
  readonly #behind: () => Value
  readonly #readVocabulary: () => Value
  readonly #readWalks: () => Value
  readonly #readFirst: () => Value
  readonly #empty: { readonly machine: Value; readonly from: Value }

  constructor(model: Model) {
    this.#model = model
    this.#reasons = model.expression("reasons")
    this.#behind = model.expression("behind")
    // A model knows its variables once an expression with them is built.
    this.#readVocabulary = model.expression("vocabulary")
    this.#readWalks = model.expression("walks")
    this.#readFirst = model.expression("first")
    this.#empty = { machine: model.value("refund"), from: model.value("pending") }
  }

  /**
   * Checks a commit that the store has stored or refused, and compares the store with the model.
   */
  commit(commit: Commit, outcome: Outcome, look: Look): void {
    this.commits += 1
    const names = writesOf(commit).flatMap(({ kind, record }) => namesOf(kind, record))
    const holders = names.flatMap((name) => this.#holders.get(name) ?? [])
    const cells = this.#model.value(touchedBy(this.#cells, commit, holders))
    this.#model.enter({ cells, asked: this.#model.value(commitOf(commit)), ...this.#empty })
    const reasons = (this.#reasons().itf as Names)["#set"]
    if (outcome.type !== "stored") {
      this.refusals += 1
      if (!reasons.includes(outcome.type)) {
        this.#complain(
          commit,
          `was refused (${outcome.type}), and the model finds ${show(reasons)}`,
        )
      }
      return
    }
    if (reasons.length > 0) {
      this.#complain(commit, `was stored, and the model refuses it: ${show(reasons)}`)
    }
    const behind = this.#behind().itf as unknown as Db
    if (!outcome.given) this.#judgeMoves(commit)
    this.#adopt(commit, behind)
    this.#compare(commit, look)
  }

  /** A worker has claimed a record. */
  claimed<K extends Kind>(kind: K, record: Records[K]): void {
    const id = idOf(kind, record.id)
    const before = this.#cells.records.get(id) as RecordCell | undefined
    const version = Number(before?.version["#bigint"] ?? 0) + 1
    if (record.version !== version) {
      this.found.push(`${id} was claimed as version ${record.version}, not ${version}`)
    }
    this.#judgeMove(kind, record, [])
    this.#cells.records.set(id, recordCell(kind, record))
  }

  /** Returns the replies that have expired at that time. */
  repliesOver(now: number): ReadonlyArray<{ readonly account_id: string; readonly key: string }> {
    return [...this.#cells.replies].flatMap(([name, cell]) => {
      const { expires_at } = cell as { readonly expires_at: { "#bigint": string } }
      const [account_id = "", ...key] = name.split(" ")
      return Number(expires_at["#bigint"]) <= now ? [{ account_id, key: key.join(" ") }] : []
    })
  }

  forgetReply(key: string): void {
    this.#cells.replies.delete(key)
  }

  /** Removes the counters of days before that one. */
  forgetDays(prefix: string, day: string): void {
    for (const counter of this.#cells.counters.keys()) {
      const of = /:(\d{4}-\d{2}-\d{2})$/.exec(counter)?.[1]
      if (of !== undefined && of < day && counter.startsWith(prefix)) {
        this.#cells.counters.delete(counter)
      }
    }
  }

  #complain(commit: Commit, what: string): void {
    const subjects = writesOf(commit).map(
      ({ kind, op, record }) => `${op} ${idOf(kind, record.id)}`,
    )
    this.found.push(`commit ${this.commits} (${subjects.join(", ")}) ${what}`)
  }

  #judgeMoves(commit: Commit): void {
    for (const { kind, op, record } of commit.writes) {
      if (op === "remove") continue
      const about = (commit.events ?? []).filter(({ subject_id }) => subject_id === record.id)
      this.#judgeMove(
        kind,
        record,
        about.map(({ type }) => type),
      )
    }
  }

  /**
   * Checks that a path through the record's table leads to its state and emits the reported events.
   */
  #judgeMove(kind: Kind, record: Records[Kind], told: ReadonlyArray<string>): void {
    const machine = machineOf(kind, record)
    if (machine === undefined) return
    const to = (record as { readonly status: string }).status
    const id = idOf(kind, record.id)
    const before = statusIn(this.#cells.records.get(id))
    const known = this.#vocabularyOf(machine)
    const said = new Set(told.filter((type) => known.has(type)))
    this.moves += before === to ? 0 : 1
    const fits = this.#walksOf(machine, before).some(
      (walk) =>
        walk.to === to &&
        walk.told["#set"].length === said.size &&
        walk.told["#set"].every((type) => said.has(type)),
    )
    if (fits) return
    const from = before ?? "its beginning"
    this.found.push(
      `${id} has gone from ${from} to ${to} and told ${show([...said])}: no walk does`,
    )
  }

  #enterMachine(machine: string, from: string): void {
    const model = this.#model
    const nothing = model.value(commitOf({ writes: [] }))
    const cells = model.value(touchedBy(emptyCells(), { writes: [] }, []))
    model.enter({ cells, asked: nothing, machine: model.value(machine), from: model.value(from) })
  }

  #vocabularyOf(machine: string): ReadonlySet<string> {
    const known = this.#vocabulary.get(machine)
    if (known !== undefined) return known
    this.#enterMachine(machine, "")
    const read = new Set((this.#readVocabulary().itf as Names)["#set"])
    this.#vocabulary.set(machine, read)
    return read
  }

  #walksOf(machine: string, before: string | undefined): ReadonlyArray<Walk> {
    const key = `${machine} ${before}`
    const known = this.#walks.get(key)
    if (known !== undefined) return known
    this.#enterMachine(machine, before ?? "")
    const from = before ?? (this.#readFirst().itf as string)
    this.#enterMachine(machine, from)
    const { "#set": walks } = this.#readWalks().itf as unknown as {
      "#set": ReadonlyArray<Walk>
    }
    this.#walks.set(key, walks)
    return walks
  }

  /** The model's own cells behind a commit. */
  #adopt(commit: Commit, behind: Db): void {
    const { counters, keys, records, replies } = this.#cells
    for (const { kind, op, record } of writesOf(commit)) {
      const id = idOf(kind, record.id)
      for (const name of namesIn(records.get(id))) {
        if (this.#holders.get(name) === id) this.#holders.delete(name)
      }
      if (op === "remove") records.delete(id)
    }
    for (const [id, cell] of behind.records["#map"]) {
      records.set(nameIn(id), cell)
      for (const name of namesIn(cell)) this.#holders.set(name, nameIn(id))
    }
    for (const { key } of commit.keys ?? []) keys.delete(key)
    for (const [key, owner] of behind.keys["#map"]) keys.set(key as string, owner)
    for (const [name, value] of behind.counters["#map"]) counters.set(name as string, value)
    for (const [key, reply] of behind.replies["#map"]) replies.set(key as string, reply)
  }

  /** Compares the store with the model. */
  #compare(commit: Commit, look: Look): void {
    for (const { kind, record } of writesOf(commit)) {
      const cell = this.#cells.records.get(idOf(kind, record.id)) as RecordCell | undefined
      const version = cell === undefined ? undefined : Number(cell.version["#bigint"])
      const stored = look.version(kind, record.id)
      if (stored !== version) {
        const id = idOf(kind, record.id)
        this.#complain(commit, `left ${id} in version ${stored}, the model in ${version}`)
      }
    }
    const counters = (commit.reservations ?? []).map(({ counter }) => counter)
    if (counters.length === 0) return
    for (const [n, value] of look.counters(counters).entries()) {
      const name = counters[n] ?? ""
      const known = show(this.#cells.counters.get(name) ?? int(0))
      if (String(value) !== known) {
        this.#complain(commit, `left ${name} at ${value}, the model at ${known}`)
      }
    }
  }
}
