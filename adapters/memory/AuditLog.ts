import {
  type AuditAct,
  type AuditEntry,
  type AuditHead,
  NO_ENTRY,
} from "../../core/audit/AuditEntry.ts"
import type { AuditQuery } from "../../core/audit/AuditQuery.ts"
import { frozen } from "./frozen.ts"
import { first } from "./Table.ts"

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

  add(act: AuditAct): void {
    this.#entries.push(frozen(act(this.head())))
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
