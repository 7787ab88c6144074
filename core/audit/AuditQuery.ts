import { Schema } from "effect"
import { integer, PageQuery } from "../shared/Page.ts"
import { AUDIT_ACTIONS } from "./AuditEntry.ts"

/** The most entries that a chain is asked for at all. */
const LAST = 999_999_999_999_999

/** The query of `GET /v1/audit`. */
export const ListAuditQuery = Schema.Struct({
  ...PageQuery.fields,
  action: Schema.optionalKey(Schema.Literals(AUDIT_ACTIONS)),
  actor: Schema.optionalKey(Schema.NonEmptyString),
  target: Schema.optionalKey(Schema.NonEmptyString),
  after: integer(0, LAST, 0),
  verify: Schema.optionalKey(Schema.Literals(["true", "false"])),
})
/** A decoded query of `GET /v1/audit`. */
export type ListAuditQuery = typeof ListAuditQuery.Type

/** What the store is asked: newest first, of the sequences between `after` and `before`. */
export interface AuditQuery extends Pick<ListAuditQuery, "action" | "actor" | "target" | "after"> {
  readonly before?: number
  readonly limit: number
}
