import { Effect } from "effect"
import type { Credential, Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { accounts } from "../tables/accounts.ts"
import { apiKeys } from "../tables/apiKeys.ts"
import { bareId } from "../tables/codecs.ts"
import { replies } from "../tables/replies.ts"
import type { Row } from "../tables/Table.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "findCredential" | "findReply">

const prefixed = (prefix: string, columns: ReadonlyArray<{ readonly name: string }>): string =>
  columns.map(({ name }) => `${prefix}.${name} AS ${prefix}_${name}`).join(", ")

const unprefixed = (prefix: string, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(`${prefix}_`) ? [[name.slice(prefix.length + 1), value]] : [],
    ),
  )

/** The SQL of these reads. */
export const ACCOUNT_SQL = {
  credential: `SELECT ${prefixed("k", apiKeys.columns)}, ${prefixed("a", accounts.columns)}
    FROM payport.api_keys AS k JOIN payport.accounts AS a ON a.id = k.account_id WHERE k.hash = $1`,
  reply: `SELECT ${replies.selection} FROM payport.replies
    WHERE account_id = $1::uuid AND key = $2`,
}

/** Reads callers and stored replies. */
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
    findReply: (accountId, key) =>
      isId("acct", accountId)
        ? Effect.map(
            ask(reads, ACCOUNT_SQL.reply, [bareId("acct", accountId), key]),
            firstOf(replies),
          )
        : Effect.succeed(undefined),
  }
}
