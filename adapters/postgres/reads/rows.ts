import type { Row, Shape } from "../tables/Table.ts"

/** A question as it is sent to the database. */
export interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The first row as a record. */
export const firstOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>): Record | undefined =>
    rows[0] === undefined ? undefined : shape.fromRow(rows[0])

/** All rows as records. */
export const allOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>): ReadonlyArray<Record> =>
    rows.map((row) => shape.fromRow(row))

/** A page with how many there are in all, which the first row has even where the page is empty. */
export const foundOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>) => ({
    data: rows.flatMap((row) => (row["id"] === null ? [] : [shape.fromRow(row)])),
    total: Number(rows[0]?.["total"] ?? 0),
  })
