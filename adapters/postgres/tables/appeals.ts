import * as column from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const appeals = makeStateTable({
  kind: "appeal",
  name: "appeals",
  fields: {
    account_id: column.id("acct"),
    verification_id: column.id("kyc"),
    estimated_resolution: column.timestamp,
    created_at: column.timestamp,
    updated_at: column.timestamp,
  },
  states: {
    under_review: {},
    upheld: { resolved_at: column.timestamp },
    overturned: { resolved_at: column.timestamp },
  },
})
