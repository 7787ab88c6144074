import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const agents = makeTable({
  kind: "agent",
  name: "agents",
  fields: {
    account_id: column.id("acct"),
    agent_id: column.text,
    level: column.word(...KYC_LEVELS),
    verified: column.jsonArray(),
    updated_at: column.timestamp,
  },
})
