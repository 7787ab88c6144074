import { Effect } from "effect"
import type { Records, Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { agents } from "../tables/agents.ts"
import { allowances } from "../tables/allowances.ts"
import { appeals } from "../tables/appeals.ts"
import { bareId, type Table } from "../tables/Table.ts"
import { verifications } from "../tables/verifications.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<
  Store["Service"],
  "findAgent" | "findVerification" | "listVerifications" | "findAppeal" | "findAllowance"
>

const byId = ({ name, selection }: { readonly name: string; readonly selection: string }) =>
  `SELECT ${selection} FROM ${name} WHERE id = $1::uuid`

const newest = (column: string): string =>
  `SELECT ${verifications.selection} FROM verifications WHERE ${column} = $1::uuid
    ORDER BY id DESC LIMIT $2`

/** The statements of these questions. */
export const AGENT_SQL = {
  agent: byId(agents),
  verification: byId(verifications),
  ofAgent: newest("agent"),
  ofAccount: newest("account_id"),
  appeal: byId(appeals),
  allowance: byId(allowances),
}

/** Questions about agents and who was verified. */
export const agentReads = ({ reads }: Database): Reads => {
  const find =
    <K extends "agent" | "verification" | "appeal" | "otp_allowance">(
      table: Table<Records[K]>,
      sql: string,
    ) =>
    (id: string) =>
      table.prefix === null || !isId(table.prefix, id)
        ? Effect.succeed(undefined)
        : Effect.map(ask(reads, sql, [bareId(table.prefix, id)]), firstOf(table))

  return {
    findAgent: find<"agent">(agents, AGENT_SQL.agent),
    findVerification: find<"verification">(verifications, AGENT_SQL.verification),
    findAppeal: find<"appeal">(appeals, AGENT_SQL.appeal),
    findAllowance: find<"otp_allowance">(allowances, AGENT_SQL.allowance),
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
