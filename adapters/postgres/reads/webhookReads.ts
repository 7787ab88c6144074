import { Effect } from "effect"
import type { Records, Store } from "../../../core/ports/Store.ts"
import type { OwnQuery } from "../../../core/shared/Page.ts"
import { isId } from "../../../core/shared/Id.ts"
import { wants } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { ask, type Database } from "../database.ts"
import { endpoints } from "../tables/endpoints.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import type { Table } from "../tables/Table.ts"
import { webhookKeys } from "../tables/webhookKeys.ts"

type Reads = Pick<Store["Service"], "listEndpoints" | "endpointsToTell" | "listWebhookKeys">

const page = ({ name, selection }: { readonly name: string; readonly selection: string }) =>
  `SELECT ${selection} FROM ${name}
    WHERE account_id = $1::uuid AND id < $2::uuid ORDER BY id DESC LIMIT $3`

/** The statements of these questions. */
export const WEBHOOK_SQL = {
  endpoints: page(endpoints),
  everyEndpoint: `SELECT ${endpoints.selection} FROM endpoints
    WHERE account_id = $1::uuid ORDER BY id`,
  webhookKeys: page(webhookKeys),
}

/** Questions about registered receivers and the keys that they are encrypted for. */
export const webhookReads = ({ reads }: Database): Reads => {
  const list =
    <K extends "endpoint" | "webhook_key">(table: Table<Records[K]>, sql: string) =>
    ({ account_id, limit, starting_after }: OwnQuery) => {
      const after = starting_after ?? `${table.prefix}_${LAST_UUID}`
      if (!isId("acct", account_id) || !after.startsWith(`${table.prefix}_`)) {
        return Effect.succeed([])
      }
      const parameters = [bareId("acct", account_id), bareId(table.prefix, after), limit]
      return Effect.map(ask(reads, sql, parameters), (rows) =>
        rows.map((row) => table.fromRow(row)),
      )
    }

  return {
    listEndpoints: list<"endpoint">(endpoints, WEBHOOK_SQL.endpoints),
    // An account has a few dozen at most, so that they are told apart here.
    endpointsToTell: (accountId, type) =>
      !isId("acct", accountId)
        ? Effect.succeed([])
        : Effect.map(ask(reads, WEBHOOK_SQL.everyEndpoint, [bareId("acct", accountId)]), (rows) =>
            rows.map((row) => endpoints.fromRow(row)).filter((endpoint) => wants(endpoint, type)),
          ),
    listWebhookKeys: list<"webhook_key">(webhookKeys, WEBHOOK_SQL.webhookKeys),
  }
}
