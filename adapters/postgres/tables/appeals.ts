import { timestamp, id, version } from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const appeals = makeStateTable({
  kind: "appeal",
  name: "appeals",
  fields: {
    id: id("appl"),
    version,
    account_id: id("acct"),
    verification_id: id("kyc"),
    estimated_resolution: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
  },
  states: {
    under_review: {},
    upheld: { resolved_at: timestamp },
    overturned: { resolved_at: timestamp },
  },
})
