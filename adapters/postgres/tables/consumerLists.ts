import { CONSUMERS } from "../../../core/webhooks/consumers/ConsumerList.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

/** There is one row at most. */
export const consumerLists = makeTable({
  kind: "consumer_list",
  name: "consumer_lists",
  fields: { names: column.textArray, created_at: column.timestamp },
  constraints: { consumer_lists_one: `id = '${CONSUMERS.slice(5)}'` },
})
