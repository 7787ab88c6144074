import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import { text, word, jsonArray, timestamp, id, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const agents = makeTable({
  kind: "agent",
  name: "agents",
  fields: {
    id: id("agt"),
    version,
    account_id: id("acct"),
    agent_id: text,
    level: word(...KYC_LEVELS),
    verified: jsonArray(),
    updated_at: timestamp,
  },
})
