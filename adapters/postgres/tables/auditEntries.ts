import {
  type AuditEntry,
  type AuditHead,
  type AuditNote,
  contentOf,
} from "../../../core/audit/AuditEntry.ts"
import * as column from "./codecs.ts"
import { part } from "./Group.ts"
import { describe, type Row } from "./Table.ts"

const place: column.Codec<number> = { type: "bigint", encode: String, decode: Number }

/** An entry with what is searched by; the rest is in its content. */
export const auditEntries = describe<
  AuditEntry,
  Exclude<keyof AuditEntry, "at" | "details" | "request_id">
>(
  "audit_entries",
  {
    id: column.id("aud"),
    sequence: place,
    previous_hash: column.sha256,
    hash: column.sha256,
    signature: column.text,
    action: column.word(),
    actor: column.text,
    target: column.text,
  },
  { content: part(column.longText, contentOf) },
)

type Content = Omit<AuditNote, "at"> & { readonly at: string }

const noteOf = (content: string): AuditNote => {
  const said = JSON.parse(content) as Content
  return { ...said, at: Date.parse(said.at) }
}

/** What an entry is read from. */
export const ENTRY_COLUMNS = "content, sequence, previous_hash, hash, signature"

/** An entry as it was read: its content tells everything but its place. */
export const auditEntryOf = ({
  content,
  hash,
  previous_hash,
  sequence,
  signature,
}: Row): AuditEntry => ({
  ...noteOf(String(content)),
  sequence: Number(sequence),
  previous_hash: String(previous_hash),
  hash: String(hash),
  signature: String(signature),
})

/** Where the log ends. */
export const HEAD_SQL = "SELECT sequence, hash FROM payport.audit_head WHERE single"

/** The answer to {@link HEAD_SQL}. */
export const headOf = ([row]: ReadonlyArray<Row>): AuditHead => ({
  sequence: Number(row?.["sequence"]),
  hash: String(row?.["hash"]),
})
