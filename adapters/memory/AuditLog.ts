import {
  type AuditAct,
  type AuditEntry,
  type AuditHead,
  NO_ENTRY,
} from "../../core/audit/AuditEntry.ts"
import type { AuditQuery } from "../../core/audit/AuditQuery.ts"
import { frozen } from "./frozen.ts"
import type { Keeping, Kept } from "./Keeping.ts"
import { first } from "./Table.ts"

const answers = (entry: AuditEntry, query: AuditQuery): boolean =>
  entry.sequence > query.after &&
  (query.before === undefined || entry.sequence < query.before) &&
  (query.action === undefined || entry.action === query.action) &&
  (query.actor === undefined || entry.actor === query.actor) &&
  (query.target === undefined || entry.target === query.target)

const nameOf = (sequence: number): string => String(sequence).padStart(15, "0")

/** The operators' audit log, to which entries are only added. */
export class AuditLog {
  readonly #entries: Kept<AuditEntry>
  /** The places of entries, by id. */
  readonly #places: Kept<number>
  /** The end of the log, under one name. */
  readonly #head: Kept<AuditHead>

  constructor(keeping: Keeping) {
    this.#entries = keeping.map("audit")
    this.#places = keeping.map("audit places")
    this.#head = keeping.map("audit head")
  }

  head(): AuditHead {
    const { hash, sequence } = this.#head.get("head") ?? NO_ENTRY
    return { sequence, hash }
  }

  add(act: AuditAct): void {
    const entry = frozen(act(this.head()))
    this.#entries.set(nameOf(entry.sequence), entry)
    this.#places.set(entry.id, entry.sequence)
    this.#head.set("head", { sequence: entry.sequence, hash: entry.hash })
  }

  find(id: string): AuditEntry | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#entries.get(nameOf(place))
  }

  list(query: AuditQuery): ReadonlyArray<AuditEntry> {
    return first(query.limit, this.#downFrom(this.head().sequence), (entry) =>
      answers(entry, query),
    )
  }

  read(after: number, limit: number): ReadonlyArray<AuditEntry> {
    const count = Math.max(0, Math.min(limit, this.head().sequence - after))
    const places = Array.from({ length: count }, (_, n) => after + n + 1)
    return places.flatMap((place) => this.#entries.get(nameOf(place)) ?? [])
  }

  *#downFrom(sequence: number): Generator<AuditEntry> {
    for (let place = sequence; place > 0; place -= 1) {
      const entry = this.#entries.get(nameOf(place))
      if (entry !== undefined) yield entry
    }
  }
}
