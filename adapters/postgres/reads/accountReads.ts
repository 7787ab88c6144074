import { Effect } from "effect"
import type { Credential, Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { ask, type Database } from "../database.ts"
import { accounts } from "../tables/accounts.ts"
import { apiKeys } from "../tables/apiKeys.ts"
import type { Row } from "../tables/Table.ts"
import { newest, newestSql } from "./newest.ts"
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
  apiKeys: newestSql(apiKeys),
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
    listApiKeys: (query) =>
      newest(reads, apiKeys, ACCOUNT_SQL.apiKeys, ["acct", query.account_id], query),
  }
}
