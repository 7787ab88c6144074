import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import type { DeliveryQuery, EventQuery } from "../../../core/webhooks/deliveries/EventQuery.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { deliveries } from "../tables/deliveries.ts"
import { events } from "../tables/events.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "listEvents" | "listDeliveries">

/** The statements of these questions, but for the list of deliveries. */
export const EVENT_SQL = {
  log: `SELECT ${events.selection} FROM events
    WHERE account_id = $1::uuid AND id < $2::uuid ORDER BY id DESC LIMIT $3`,
  logOfType: `SELECT ${events.selection} FROM events
    WHERE account_id = $1::uuid AND id < $2::uuid AND type = $4 ORDER BY id DESC LIMIT $3`,
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

const listEvents = (database: Database, query: EventQuery) => {
  const { account_id, limit, type } = query
  const after = query.starting_after ?? `evt_${LAST_UUID}`
  if (!isId("acct", account_id) || !after.startsWith("evt_")) return Effect.succeed([])
  const parameters = [bareId("acct", account_id), bareId("evt", after), limit]
  const asked =
    type === undefined
      ? ask(database.work, EVENT_SQL.log, parameters)
      : ask(database.work, EVENT_SQL.logOfType, [...parameters, type])
  return Effect.map(asked, (rows) => rows.map((row) => events.fromRow(row)))
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
