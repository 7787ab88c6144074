import type { Row, Shape } from "../tables/Table.ts"

/** The first row as a record. */
export const firstOf =
  <Record>(shape: Shape<Record>) =>
  (rows: ReadonlyArray<Row>): Record | undefined =>
    rows[0] === undefined ? undefined : shape.fromRow(rows[0])
