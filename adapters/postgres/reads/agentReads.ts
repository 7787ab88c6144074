import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { agents } from "../tables/agents.ts"
import { bareId } from "../tables/Table.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "findAgent">

/** The statements of these questions. */
export const AGENT_SQL = {
  agent: `SELECT ${agents.selection} FROM agents WHERE id = $1::uuid`,
}

/** Questions about agents. */
export const agentReads = ({ reads }: Database): Reads => ({
  findAgent: (id) =>
    isId("agt", id)
      ? Effect.map(ask(reads, AGENT_SQL.agent, [bareId("agt", id)]), firstOf(agents))
      : Effect.succeed(undefined),
})
