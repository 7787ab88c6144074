import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { bareId } from "../tables/codecs.ts"
import { verifications } from "../tables/verifications.ts"

type Reads = Pick<Store["Service"], "listVerifications">

const newest = (column: string): string =>
  `SELECT ${verifications.selection} FROM verifications WHERE ${column} = $1::uuid
    ORDER BY id DESC LIMIT $2`

/** The statements of these questions. */
export const AGENT_SQL = {
  ofAgent: newest("agent"),
  ofAccount: newest("account_id"),
}

/** Questions about agents and who was verified. */
export const agentReads = ({ reads }: Database): Reads => {
  return {
    listVerifications: (query) => {
      const [sql, prefix, owner] =
        "agent" in query
          ? ([AGENT_SQL.ofAgent, "agt", query.agent] as const)
          : ([AGENT_SQL.ofAccount, "acct", query.account_id] as const)
      if (!isId(prefix, owner)) return Effect.succeed([])
      return Effect.map(ask(reads, sql, [bareId(prefix, owner), query.limit]), (rows) =>
        rows.map((row) => verifications.fromRow(row)),
      )
    },
  }
}
