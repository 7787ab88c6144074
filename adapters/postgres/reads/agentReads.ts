import type { Store } from "../../../core/ports/Store.ts"
import type { Database } from "../database.ts"
import { verifications } from "../tables/verifications.ts"
import { newest, newestSql } from "./newest.ts"

type Reads = Pick<Store["Service"], "listVerifications">

/** The statements of these questions. */
export const AGENT_SQL = {
  ofAgent: newestSql(verifications, "agent"),
  ofAccount: newestSql(verifications),
}

/** Questions about agents and who was verified. */
export const agentReads = ({ reads }: Database): Reads => ({
  listVerifications: (query) =>
    "agent" in query
      ? newest(reads, verifications, AGENT_SQL.ofAgent, ["agt", query.agent], query)
      : newest(reads, verifications, AGENT_SQL.ofAccount, ["acct", query.account_id], query),
})
