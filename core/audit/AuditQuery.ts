import { Schema } from "effect"
import { integer, PageQuery } from "../shared/Page.ts"
import { fromIso } from "../shared/Timestamp.ts"
import { AUDIT_ACTIONS } from "./AuditEntry.ts"

/** The largest sequence number in queries. */
const LAST = 999_999_999_999_999

/** The query of `GET /v1/audit`. */
export const ListAuditQuery = Schema.Struct({
  ...PageQuery.fields,
  action: Schema.optionalKey(Schema.Literals(AUDIT_ACTIONS)).annotateKey({
    description: "Only entries with this action.",
  }),
  actor: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only entries of this operator.",
  }),
  target: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only entries that affect the record with this id.",
  }),
  after: integer(0, LAST, 0, "Only entries after this sequence number."),
  verify: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description: "`true` verifies the chain from its first entry.",
  }),
})
/** A decoded query of `GET /v1/audit`. */
export type ListAuditQuery = typeof ListAuditQuery.Type

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && fromIso(`${text}T00:00:00Z`) !== undefined

/** The query of `GET /v1/audit/heads`. */
export const ListHeadsQuery = Schema.Struct({
  limit: PageQuery.fields.limit.annotateKey({
    description: "The maximum number of items per page.",
  }),
  after: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) =>
        isDay(text) ? undefined : "must be a UTC day, such as 2026-01-31",
      ),
    ),
  ).annotateKey({ description: "Only heads after this UTC day, such as 2030-01-01." }),
})
/** A decoded query of `GET /v1/audit/heads`. */
export type ListHeadsQuery = typeof ListHeadsQuery.Type

/** A query of the store: newest first, with sequences between `after` and `before`. */
export interface AuditQuery extends Pick<ListAuditQuery, "action" | "actor" | "target" | "after"> {
  readonly before?: number
  readonly limit: number
}
