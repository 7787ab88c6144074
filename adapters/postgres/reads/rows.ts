import type { Row, Shape } from "../tables/Table.ts"

/** An SQL statement with its parameters. */
export interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
}

/** Returns the first row as a record. */
export const firstOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>): Record | undefined =>
    rows[0] === undefined ? undefined : shape.fromRow(rows[0])

/** Returns all rows as records. */
export const allOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>): ReadonlyArray<Record> =>
    rows.map((row) => shape.fromRow(row))

/** Returns a page with the total. The first row has the total even if the page is empty. */
export const foundOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>) => ({
    data: rows.flatMap((row) => (row["id"] === null ? [] : [shape.fromRow(row)])),
    total: Number(rows[0]?.["total"] ?? 0),
  })
