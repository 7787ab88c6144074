import type { Appeal } from "../../../core/kyc/reviews/Appeal.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { id, integer, makeTable, nullable, timestamp, word } from "./Table.ts"

interface Flat {
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly verification_id: string
  readonly status: Appeal["status"]
  readonly estimated_resolution: Timestamp
  readonly resolved_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export const appeals = makeTable<"appeal", Flat>({
  kind: "appeal",
  name: "appeals",
  prefix: "appl",
  columns: {
    id: id("appl"),
    version: integer,
    account_id: id("acct"),
    verification_id: id("kyc"),
    status: word(),
    estimated_resolution: timestamp,
    resolved_at: nullable(timestamp),
    created_at: timestamp,
    updated_at: timestamp,
  },
  flatten: (appeal) => ({
    ...appeal,
    resolved_at: appeal.status === "under_review" ? null : appeal.resolved_at,
  }),
  restore: ({ resolved_at, status, ...flat }) =>
    status === "under_review" || resolved_at === null
      ? { ...flat, status: "under_review" }
      : { ...flat, status, resolved_at },
})
