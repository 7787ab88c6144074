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
    description: "Only what was done in this way.",
  }),
  actor: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only what this operator did.",
  }),
  target: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only what was done to this.",
  }),
  after: integer(0, LAST, 0, "The number of an entry: those after it."),
  verify: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description: "`true` proves the chain, from its first entry on.",
  }),
})
/** A decoded query of `GET /v1/audit`. */
export type ListAuditQuery = typeof ListAuditQuery.Type

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && fromIso(`${text}T00:00:00Z`) !== undefined

/** The query of `GET /v1/audit/heads`. */
export const ListHeadsQuery = Schema.Struct({
  limit: PageQuery.fields.limit.annotateKey({ description: "How many items a page has at most." }),
  after: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) =>
        isDay(text) ? undefined : "must be a UTC day, such as 2026-01-31",
      ),
    ),
  ).annotateKey({ description: "A UTC day, such as 2030-01-01: the heads after it." }),
})
/** A decoded query of `GET /v1/audit/heads`. */
export type ListHeadsQuery = typeof ListHeadsQuery.Type

/** A query of the store: newest first, with sequences between `after` and `before`. */
export interface AuditQuery extends Pick<ListAuditQuery, "action" | "actor" | "target" | "after"> {
  readonly before?: number
  readonly limit: number
}
