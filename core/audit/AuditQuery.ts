import { Schema } from "effect"
import { integer, PageQuery } from "../shared/Page.ts"
import { fromIso } from "../shared/Timestamp.ts"
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

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && fromIso(`${text}T00:00:00Z`) !== undefined

/** The query of `GET /v1/audit/heads`. */
export const ListHeadsQuery = Schema.Struct({
  limit: PageQuery.fields.limit,
  after: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) =>
        isDay(text) ? undefined : "must be a UTC day, such as 2026-01-31",
      ),
    ),
  ),
})
/** A decoded query of `GET /v1/audit/heads`. */
export type ListHeadsQuery = typeof ListHeadsQuery.Type

/** What the store is asked: newest first, of the sequences between `after` and `before`. */
export interface AuditQuery extends Pick<ListAuditQuery, "action" | "actor" | "target" | "after"> {
  readonly before?: number
  readonly limit: number
}
