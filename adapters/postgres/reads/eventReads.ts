import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import type { DeliveryQuery, EventQuery } from "../../../core/webhooks/deliveries/EventQuery.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { deliveries } from "../tables/deliveries.ts"
import { events } from "../tables/events.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"
import { newest, newestSql } from "./newest.ts"

type Reads = Pick<Store["Service"], "listEvents" | "listDeliveries">

/** The statements of these questions, but for the list of deliveries. */
export const EVENT_SQL = {
  log: newestSql(events),
  logOfType: newestSql(events, "account_id", " AND type = $4"),
}

interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The statement of a list of deliveries; undefined when nothing can be found. */
export const deliveryStatement = (query: DeliveryQuery): Statement | undefined => {
  const { account_id, endpoint_id, event_id, limit, status } = query
  const after = query.starting_after ?? `wd_${LAST_UUID}`
  const isAsked =
    isId("acct", account_id) &&
    after.startsWith("wd_") &&
    (endpoint_id === undefined || isId("we", endpoint_id)) &&
    (event_id === undefined || isId("evt", event_id))
  if (!isAsked) return undefined
  const parameters: Array<unknown> = [bareId("acct", account_id), bareId("wd", after), limit]
  const given = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = ["account_id = $1::uuid", "id < $2::uuid"]
  if (endpoint_id !== undefined) {
    conditions.push(`endpoint_id = ${given(bareId("we", endpoint_id))}::uuid`)
  }
  if (event_id !== undefined) conditions.push(`event_id = ${given(bareId("evt", event_id))}::uuid`)
  if (status !== undefined) conditions.push(`status = ${given(status)}`)
  return {
    sql: `SELECT ${deliveries.selection} FROM deliveries WHERE ${conditions.join(" AND ")}
      ORDER BY id DESC LIMIT $3`,
    parameters,
  }
}

const listEvents = ({ work }: Database, { account_id, type, ...page }: EventQuery) => {
  const owner = ["acct", account_id] as const
  return type === undefined
    ? newest(work, events, EVENT_SQL.log, owner, page)
    : newest(work, events, EVENT_SQL.logOfType, owner, page, type)
}

/** Questions about what happened and who was told. */
export const eventReads = (database: Database): Reads => ({
  listEvents: (query) => listEvents(database, query),
  listDeliveries: (query) => {
    const statement = deliveryStatement(query)
    if (statement === undefined) return Effect.succeed([])
    return Effect.map(ask(database.work, statement.sql, statement.parameters), (rows) =>
      rows.map((row) => deliveries.fromRow(row)),
    )
  },
})
