import type { Agent } from "../../../core/kyc/agents/Agent.ts"
import { asItIs, id, integer, json, makeTable, text, timestamp, word } from "./Table.ts"

export const agents = makeTable<"agent", Agent>({
  kind: "agent",
  name: "agents",
  prefix: "agt",
  columns: {
    id: id("agt"),
    version: integer,
    account_id: id("acct"),
    agent_id: text,
    level: word(),
    verified: json(),
    updated_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
