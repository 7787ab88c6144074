import { Effect } from "effect"
import type { Credential, Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { accounts } from "../tables/accounts.ts"
import { apiKeys } from "../tables/apiKeys.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import type { Row } from "../tables/Table.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "findCredential" | "findAccountByAgent" | "listApiKeys">

const prefixed = (prefix: string, columns: ReadonlyArray<{ readonly name: string }>): string =>
  columns.map(({ name }) => `${prefix}.${name} AS ${prefix}_${name}`).join(", ")

const unprefixed = (prefix: string, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(`${prefix}_`) ? [[name.slice(prefix.length + 1), value]] : [],
    ),
  )

/** The statements of these questions. */
export const ACCOUNT_SQL = {
  credential: `SELECT ${prefixed("k", apiKeys.columns)}, ${prefixed("a", accounts.columns)}
    FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.hash = $1`,
  accountByAgent: `SELECT ${accounts.selection} FROM accounts WHERE agent_id = $1`,
  apiKeys: `SELECT ${apiKeys.selection} FROM api_keys
    WHERE account_id = $1::uuid AND id < $2::uuid ORDER BY id DESC LIMIT $3`,
}

/** Questions about accounts and their keys. */
export const accountReads = ({ reads }: Database): Reads => {
  const findCredential = (hash: string): Effect.Effect<Credential | undefined, StoreUnavailable> =>
    Effect.map(
      ask(reads, ACCOUNT_SQL.credential, [hash]),
      ([row]) =>
        row && {
          api_key: apiKeys.fromRow(unprefixed("k", row)),
          account: accounts.fromRow(unprefixed("a", row)),
        },
    )
  return {
    findCredential,
    findAccountByAgent: (agentId) =>
      Effect.map(ask(reads, ACCOUNT_SQL.accountByAgent, [agentId]), firstOf(accounts)),
    listApiKeys: ({ account_id, limit, starting_after }) => {
      const after = starting_after ?? `key_${LAST_UUID}`
      if (!isId("acct", account_id) || !after.startsWith("key_")) return Effect.succeed([])
      const parameters = [bareId("acct", account_id), bareId("key", after), limit]
      return Effect.map(ask(reads, ACCOUNT_SQL.apiKeys, parameters), (rows) =>
        rows.map((row) => apiKeys.fromRow(row)),
      )
    },
  }
}
