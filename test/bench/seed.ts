import type { Running } from "./Bench.ts"
import type { Server } from "./database.ts"

/** The prefix of the ids of seeded payments. Each ends in its number as 12 hex digits. */
export const SEEDED_PREFIX = "01997d3e-8a00-7000-9000-"

const numbered = `('${SEEDED_PREFIX}' || lpad(to_hex(n::bigint), 12, '0'))`

/** A time after the end of any bench, so that no worker expires the measured payments. */
const LATER = `now() + interval '1 day'`

const columnsOf = async (server: Server, database: string, table: string) => {
  const rows = await server.query(
    database,
    `SELECT column_name::text AS name FROM information_schema.columns
    WHERE table_schema = 'payport' AND table_name = $1 AND is_generated = 'NEVER'
    ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => String(name))
}

/** Copies one row of the service's own under new values, so that every column and index is real. */
export const copyRow = async (
  server: Server,
  database: string,
  copy: {
    readonly table: string
    readonly where: string
    readonly count: number
    readonly values: { readonly [column: string]: string }
  },
) => {
  const columns = await columnsOf(server, database, copy.table)
  const strange = Object.keys(copy.values).find((column) => !columns.includes(column))
  if (strange !== undefined) throw new Error(`${copy.table} has no column ${strange}`)
  const values = columns.map((column) => copy.values[column] ?? `model.${column}`)
  await server.query(
    database,
    `INSERT INTO ${copy.table} (${columns.join(", ")}) SELECT ${values.join(", ")}
    FROM (SELECT * FROM ${copy.table} WHERE ${copy.where}) AS model,
      generate_series(1, ${copy.count}) AS n`,
  )
}

/** Stores so many payments with their answers beside the one of the shop. */
export const seedIntents = async (
  server: Server,
  { database, shop }: Running,
  count: number,
): Promise<void> => {
  await copyRow(server, database, {
    table: "payment_intents",
    where: `id = '${shop.intentId.replace("pi_", "")}'`,
    count,
    values: {
      id: `${numbered}::uuid`,
      qr_charge_id: `${numbered}::uuid`,
      offers: `replace(model.offers::text, model.qr_charge_id::text, ${numbered})::json`,
      expires_at: LATER,
      due_at: LATER,
    },
  })
  await copyRow(server, database, {
    table: "replies",
    where: `key = '${shop.idempotencyKey}'`,
    count,
    values: { key: numbered, expires_at: LATER },
  })
  await server.query(database, "ANALYZE")
  await server.checkpoint()
}
