import { createHash } from "node:crypto"
import {
  type AuditEntry,
  type AuditHead,
  type AuditNote,
  chained,
  NO_ENTRY,
} from "../../core/audit/AuditEntry.ts"
import type { AuditQuery } from "../../core/audit/AuditQuery.ts"
import { frozen } from "./frozen.ts"
import { first } from "./Table.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const answers = (entry: AuditEntry, query: AuditQuery): boolean =>
  entry.sequence > query.after &&
  (query.before === undefined || entry.sequence < query.before) &&
  (query.action === undefined || entry.action === query.action) &&
  (query.actor === undefined || entry.actor === query.actor) &&
  (query.target === undefined || entry.target === query.target)

/** What operators did, which is only ever added to. */
export class AuditLog {
  readonly #entries: Array<AuditEntry> = []

  head(): AuditHead {
    const { hash, sequence } = this.#entries.at(-1) ?? NO_ENTRY
    return { sequence, hash }
  }

  add(note: AuditNote): void {
    this.#entries.push(frozen(chained(note, this.head(), sha256)))
  }

  find(id: string): AuditEntry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  list(query: AuditQuery): ReadonlyArray<AuditEntry> {
    return first(query.limit, this.#entries.toReversed(), (entry) => answers(entry, query))
  }

  read(after: number, limit: number): ReadonlyArray<AuditEntry> {
    return this.#entries.slice(after, after + limit)
  }
}
