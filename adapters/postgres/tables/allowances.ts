import { checked, json, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const allowances = makeTable({
  kind: "otp_allowance",
  name: "otp_allowances",
  fields: {
    id: id("otpa"),
    version,
    sent: checked(json(), "json_typeof(…) = 'array' AND json_array_length(…) <= 5"),
    locked_until: nullable(timestamp),
    due_at: nullable(timestamp),
  },
})
