import type { Kind, Records } from "../../../core/ports/Store.ts"
import type { Column, Table } from "../tables/Table.ts"
import { TABLES } from "../tables.ts"

/** What a group does to the tables of records, in the order of execution. */
export const PHASES = ["checked", "guarded", "removed", "replaced", "inserted"] as const
export type Phase = (typeof PHASES)[number]

/** The largest number of tables whose bits fit exactly into a JavaScript number. */
const MOST_TABLES = 53

if (TABLES.length > MOST_TABLES) {
  throw new RangeError(`A mask of tables holds ${MOST_TABLES}, and there are ${TABLES.length}.`)
}

/** The table of any kind of record. */
export type AnyTable = Table<Records[Kind]>

/**
 * The data of a group about one table besides its rows, as array literals. The text array `parts`
 * holds those that are not empty. `…_of` holds the number of each item's commit.
 */
export const PARTS = [
  "checked",
  "checked_version",
  "checked_of",
  "guarded",
  "guarded_version",
  "guarded_of",
  "removed",
  "removed_of",
] as const
export type Part = (typeof PARTS)[number]

/** Returns the number of a table's part in `part_places`. */
export const placeOf = (position: number, name: Part): number =>
  position * PARTS.length + PARTS.indexOf(name)

const part = (position: number, name: Part): string =>
  `parts[array_position(part_places, ${placeOf(position, name)})]`

const bitsOf = (from: number, to: number): string =>
  String(Array.from({ length: to - from }, (_, at) => 2 ** (from + at)).reduce((a, b) => a + b))

/**
 * Returns a phase's step for each table that the group touches in it, in the order of the tables. A
 * group touches few tables, and each `IF` costs some microseconds. So the phase's mask skips whole
 * halves of the tables.
 */
export const forTouched = (
  phase: Phase,
  step: (table: AnyTable, position: number) => string,
): string => {
  const within = (from: number, to: number): string => {
    const table = TABLES[from]
    if (table === undefined) return ""
    const middle = (from + to) >> 1
    const inner =
      to - from === 1 ? step(table, from) : `${within(from, middle)}${within(middle, to)}`
    return `
  IF ${phase} & ${bitsOf(from, to)} <> 0 THEN${inner}
  END IF;`
  }
  return within(0, TABLES.length)
}

const refuse = (position: number, query: string): string => `
    FOR hit IN ${query} LOOP
      refused[hit.commit_no] := coalesce(refused[hit.commit_no],
        json_build_array('stale_version', ${position}, hit.id)::text);
      any_refused := true;
    END LOOP;`

/** Locks the rows that are replaced or removed, in key order, and compares their versions. */
export const checkRows = ({ name }: AnyTable, position: number): string =>
  refuse(
    position,
    `
      WITH locked AS MATERIALIZED (
        SELECT id, version FROM payport.${name}
        WHERE id = ANY (${part(position, "checked")}::uuid[])
        ORDER BY id FOR UPDATE)
      SELECT wanted.commit_no, wanted.id
      FROM unnest(${part(position, "checked")}::uuid[], ${part(position, "checked_version")}::int[],
        ${part(position, "checked_of")}::int[]) AS wanted (id, version, commit_no)
      LEFT JOIN locked ON locked.id = wanted.id
      WHERE locked.version IS DISTINCT FROM wanted.version`,
  )

export const checkGuards = ({ name }: AnyTable, position: number): string =>
  refuse(
    position,
    `
      SELECT wanted.commit_no, wanted.id
      FROM unnest(${part(position, "guarded")}::uuid[], ${part(position, "guarded_version")}::int[],
        ${part(position, "guarded_of")}::int[]) AS wanted (id, version, commit_no)
      LEFT JOIN payport.${name} AS held ON held.id = wanted.id
      WHERE held.version IS DISTINCT FROM wanted.version`,
  )

/** The placeholder of the function's name, which is a hash of the text. */
export const NAME = "payport_commit_NAME"

/** The row type of a table in this version, with the number of the row's commit. */
export const rowType = ({ name }: { readonly name: string }): string => `payport.${NAME}_${name}`

/** Rows in a parameter of their own. */
export const ownRows = (table: { readonly name: string }): string =>
  `unnest(inserted_${table.name}::${rowType(table)}[]) AS given`

/** Returns the value of a column of a given row: from the row, or from the texts by its number. */
const givenValue = ({ codec, name, type }: Column): string => {
  if (codec.isBeside !== true) return `given.${name}`
  const text = `texts[texts_before[given.commit_no] + given.${name}]`
  return type === "text" ? text : `${text}::${type}`
}

/** The values of all columns of a given row. */
export const givenValues = ({ columns }: { readonly columns: ReadonlyArray<Column> }): string =>
  columns.map(givenValue).join(", ")

type Change = "inserted" | "replaced"

/** Returns the number of a table's inserted or replaced rows in `row_places`. */
export const rowPlaceOf = (position: number, change: Change): number =>
  position * 2 + (change === "inserted" ? 0 : 1)

/** Returns a table's rows. All rows of a group are in one array, ordered by table. */
const rows = (table: AnyTable, position: number, change: Change): string => {
  const at = `array_position(row_places, ${rowPlaceOf(position, change)})`
  return `unnest(rows[row_starts[${at}]:row_ends[${at}]]::${rowType(table)}[]) AS given`
}

export const removeRows = ({ name }: AnyTable, position: number): string => `
    DELETE FROM payport.${name} AS stored
    USING unnest(${part(position, "removed")}::uuid[], ${part(position, "removed_of")}::int[])
      AS given (id, commit_no)
    WHERE stored.id = given.id AND refused[given.commit_no] IS NULL;`

export const replaceRows = (table: AnyTable, position: number): string => {
  const changed = table.columns.filter(({ name }) => name !== "id" && name !== "version")
  const set = [
    "version = given.version + 1",
    ...changed.map((column) => `${column.name} = ${givenValue(column)}`),
    ...(table.due ? ["lease_until = NULL"] : []),
  ].join(", ")
  return `
    UPDATE payport.${table.name} AS stored SET ${set}
    FROM ${rows(table, position, "replaced")}
    WHERE stored.id = given.id AND refused[given.commit_no] IS NULL;`
}

export const insertRows = (table: AnyTable, position: number): string => {
  const names = table.columns.map(({ name }) => name).join(", ")
  return `
    INSERT INTO payport.${table.name} (${names})
    SELECT ${givenValues(table)} FROM ${rows(table, position, "inserted")}
    WHERE refused[given.commit_no] IS NULL;`
}
