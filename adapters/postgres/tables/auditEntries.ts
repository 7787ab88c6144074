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

/** An entry with its searched fields. The other fields are in its content. */
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

/** The columns from which an entry is read. */
export const ENTRY_COLUMNS = "content, sequence, previous_hash, hash, signature"

/** Returns an entry. Its content has everything but its place. */
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

/** Reads the end of the log. */
export const HEAD_SQL = "SELECT sequence, hash FROM payport.audit_head WHERE single"

/** Reads the answer to {@link HEAD_SQL}. */
export const headOf = ([row]: ReadonlyArray<Row>): AuditHead => ({
  sequence: Number(row?.["sequence"]),
  hash: String(row?.["hash"]),
})
