import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const feeds = makeTable({
  kind: "feed",
  name: "feeds",
  fields: {
    consumer: column.text,
    about: column.text,
    waiting: column.checked(column.textArray, "cardinality(…) > 0"),
    failures: column.count,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
})
