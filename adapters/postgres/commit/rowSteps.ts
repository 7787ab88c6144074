import type { Kind, Records } from "../../../core/ports/Store.ts"
import type { Table } from "../tables/Table.ts"

/**
 * What of a group concerns one table besides its rows, by its place in the text array `parts`, from
 * 1: array literals. `…_of` holds the number of the commit that each item is of.
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

/** The table of any kind of record. */
export type AnyTable = Table<Records[Kind]>

const part = (position: number, name: Part): string =>
  `parts[${position * PARTS.length + PARTS.indexOf(name) + 1}]`

const refuse = (position: number, query: string): string => `
    FOR hit IN ${query} LOOP
      refused[hit.commit_no] := coalesce(refused[hit.commit_no],
        json_build_array('stale_version', ${position}, hit.id)::text);
      any_refused := true;
    END LOOP;`

/** Locks the rows that are replaced or removed, in key order, and compares their versions. */
export const checkRows = ({ name }: AnyTable, position: number): string => `
  IF ${part(position, "checked")} <> '' THEN${refuse(
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
  )}
  END IF;`

export const checkGuards = ({ name }: AnyTable, position: number): string => `
  IF ${part(position, "guarded")} <> '' THEN${refuse(
    position,
    `
      SELECT wanted.commit_no, wanted.id
      FROM unnest(${part(position, "guarded")}::uuid[], ${part(position, "guarded_version")}::int[],
        ${part(position, "guarded_of")}::int[]) AS wanted (id, version, commit_no)
      LEFT JOIN payport.${name} AS held ON held.id = wanted.id
      WHERE held.version IS DISTINCT FROM wanted.version`,
  )}
  END IF;`

/** Stands for the function's name, which is made of all that is said here. */
export const NAME = "payport_commit_NAME"

/** The row type of a table in this version, with the number of the commit that a row is of. */
export const rowType = ({ name }: { readonly name: string }): string => `payport.${NAME}_${name}`

export const rows = (table: { readonly name: string }, change: "inserted" | "replaced"): string =>
  `unnest(${change}_${table.name}::${rowType(table)}[]) AS given`

export const removeRows = ({ name }: AnyTable, position: number): string => `
  IF ${part(position, "removed")} <> '' THEN
    DELETE FROM payport.${name} AS stored
    USING unnest(${part(position, "removed")}::uuid[], ${part(position, "removed_of")}::int[])
      AS given (id, commit_no)
    WHERE stored.id = given.id AND refused[given.commit_no] IS NULL;
  END IF;`

export const replaceRows = (table: AnyTable): string => {
  const changed = table.columns.filter(({ name }) => name !== "id" && name !== "version")
  const set = [
    "version = given.version + 1",
    ...changed.map(({ name }) => `${name} = given.${name}`),
    ...(table.due ? ["lease_until = NULL"] : []),
  ].join(", ")
  return `
  IF cardinality(replaced_${table.name}) > 0 THEN
    UPDATE payport.${table.name} AS stored SET ${set}
    FROM ${rows(table, "replaced")}
    WHERE stored.id = given.id AND refused[given.commit_no] IS NULL;
  END IF;`
}

export const insertRows = (table: AnyTable): string => {
  const names = table.columns.map(({ name }) => name).join(", ")
  const given = table.columns.map(({ name }) => `given.${name}`).join(", ")
  return `
  IF cardinality(inserted_${table.name}) > 0 THEN
    INSERT INTO payport.${table.name} (${names})
    SELECT ${given} FROM ${rows(table, "inserted")} WHERE refused[given.commit_no] IS NULL;
  END IF;`
}
