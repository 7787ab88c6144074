import { type AuditEntry, type AuditNote, contentOf } from "../../../core/audit/AuditEntry.ts"
import * as column from "./codecs.ts"
import { part } from "./Group.ts"
import { describe, type Row } from "./Table.ts"

/** An entry as it is written: the table's trigger adds its place in the chain. */
export const auditEntries = describe<AuditNote, "id" | "action" | "actor" | "target">(
  "audit_entries",
  { id: column.id("aud"), action: column.word(), actor: column.text, target: column.text },
  { content: part(column.text, contentOf) },
)

type Content = Omit<AuditNote, "at"> & { readonly at: string }

const noteOf = (content: string): AuditNote => {
  const said = JSON.parse(content) as Content
  return { ...said, at: Date.parse(said.at) }
}

/** What an entry is read from. */
export const ENTRY_COLUMNS = "content, sequence, previous_hash, hash"

/** An entry as it was read: its content tells everything but its place. */
export const auditEntryOf = ({ content, hash, previous_hash, sequence }: Row): AuditEntry => ({
  ...noteOf(String(content)),
  sequence: Number(sequence),
  previous_hash: String(previous_hash),
  hash: String(hash),
})
