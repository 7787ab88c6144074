import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { wants } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { ask, type Database } from "../database.ts"
import { bareId } from "../tables/codecs.ts"
import { endpoints } from "../tables/endpoints.ts"
import { webhookKeys } from "../tables/webhookKeys.ts"
import { newest, newestSql } from "./newest.ts"

type Reads = Pick<Store["Service"], "listEndpoints" | "endpointsToTell" | "listWebhookKeys">

/** The statements of these questions. */
export const WEBHOOK_SQL = {
  endpoints: newestSql(endpoints),
  everyEndpoint: `SELECT ${endpoints.selection} FROM endpoints
    WHERE account_id = $1::uuid ORDER BY id`,
  webhookKeys: newestSql(webhookKeys),
}

/** Questions about registered receivers and the keys that they are encrypted for. */
export const webhookReads = ({ reads }: Database): Reads => ({
  listEndpoints: (query) =>
    newest(reads, endpoints, WEBHOOK_SQL.endpoints, ["acct", query.account_id], query),
  // An account has a few dozen at most, so that they are told apart here.
  endpointsToTell: (accountId, type) =>
    !isId("acct", accountId)
      ? Effect.succeed([])
      : Effect.map(ask(reads, WEBHOOK_SQL.everyEndpoint, [bareId("acct", accountId)]), (rows) =>
          rows.map((row) => endpoints.fromRow(row)).filter((endpoint) => wants(endpoint, type)),
        ),
  listWebhookKeys: (query) =>
    newest(reads, webhookKeys, WEBHOOK_SQL.webhookKeys, ["acct", query.account_id], query),
})
