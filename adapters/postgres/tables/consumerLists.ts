import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

/** The table has one row, under the id of the one list. */
export const consumerLists = makeTable({
  kind: "consumer_list",
  name: "consumer_lists",
  fields: { names: column.textArray, created_at: column.timestamp },
})
