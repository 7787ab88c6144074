import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const allowances = makeTable({
  kind: "otp_allowance",
  name: "otp_allowances",
  fields: {
    sent: column.checked(column.json(), "json_typeof(…) = 'array' AND json_array_length(…) <= 5"),
    locked_until: column.nullable(column.timestamp),
    due_at: column.nullable(column.timestamp),
  },
})
