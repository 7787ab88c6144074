import { HEARD_RESULTS, HEARD_STATUSES } from "../../../core/gateway/HeardCallback.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const callbacks = makeTable({
  kind: "callback",
  name: "callbacks",
  fields: {
    account_id: column.id("acct"),
    payment_intent: column.id("pi"),
    channel: column.text,
    about: column.word("charge", "refund"),
    number: column.text,
    status: column.word(...HEARD_STATUSES),
    result: column.word(...HEARD_RESULTS),
    times: column.count,
    created_at: column.timestamp,
    last_at: column.timestamp,
  },
})
