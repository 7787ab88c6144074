import type { Kind, Records } from "../../../core/ports/Store.ts"
import type { IdPrefix } from "../../../core/shared/Id.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"

/**
 * How a value is kept in a column: the column's type, its text form as PostgreSQL reads it or null,
 * and what comes back of what the driver reads.
 */
export interface Codec<A> {
  readonly type: string
  readonly encode: (value: A) => string | null
  readonly decode: (stored: unknown) => A
  /** Whether the text form may hold anything, or any JSON, and has to be quoted within a row. */
  readonly quoted?: "text" | "json"
  /** Derived from the other columns for the database's own use, and not read back. */
  readonly derived?: true
}

const asText = (value: string | number | boolean): string => String(value)

/** What the driver reads is what was stored: the columns' types and CHECKs see to that. */
const stored = (value: unknown) => value as never

export const text: Codec<string> = { type: "text", encode: asText, decode: stored, quoted: "text" }
export const boolean: Codec<boolean> = { type: "boolean", encode: asText, decode: stored }
export const integer: Codec<number> = { type: "integer", encode: asText, decode: stored }
export const uuid: Codec<string> = { type: "uuid", encode: asText, decode: stored }

/** One of a closed list of words; the table's CHECK holds the same list. */
export const word = <W extends string>(): Codec<W> => ({ ...text, encode: asText, decode: stored })

/** A JSON document, kept as it was written: the order of its fields is its author's. */
export const json = <A>(): Codec<A> => ({
  type: "json",
  encode: (value) => JSON.stringify(value),
  decode: stored,
  quoted: "json",
})

const SPECIAL = /["\\]/g

/** Text in the quotes that array and row literals take. */
const quote = (value: string): string =>
  value.includes('"') || value.includes("\\") ? `"${value.replace(SPECIAL, "\\$&")}"` : `"${value}"`

/**
 * How a value's text form is written within a row. JSON has no control characters left, so that its
 * own way to quote a text, which is the faster one, is the row's as well.
 */
const quoters = {
  none: (field: string): string => field,
  text: quote,
  json: (field: string): string => JSON.stringify(field),
}

export const textArray: Codec<ReadonlyArray<string>> = {
  type: "text[]",
  encode: (values) => `{${values.map(quote).join(",")}}`,
  decode: stored,
  quoted: "text",
}

/** Minor units; the driver reads a bigint, and the CHECKs keep it within exact numbers. */
export const minorUnits: Codec<number> = { type: "bigint", encode: asText, decode: Number }

/** An exact decimal as text. */
export const decimal: Codec<string> = { type: "numeric", encode: asText, decode: stored }

export const timestamp: Codec<number> = {
  type: "timestamptz(3)",
  encode: toIso,
  decode: (value) => (value as Date).getTime(),
}

/** The bare UUID of an identifier such as `pi_…`; a wrong prefix is a defect. */
export const bareId = (prefix: IdPrefix | null, id: string): string => {
  if (prefix === null) return id
  if (!id.startsWith(`${prefix}_`)) {
    throw new TypeError(`${JSON.stringify(id)} is no identifier with the prefix ${prefix}_`)
  }
  return id.slice(prefix.length + 1)
}

export const id = (prefix: IdPrefix): Codec<string> => ({
  type: "uuid",
  encode: (value) => bareId(prefix, value),
  decode: (value) => `${prefix}_${value as string}`,
})

export const nullable = <A>(codec: Codec<A>): Codec<A | null> => ({
  ...codec,
  encode: (value) => (value === null ? null : codec.encode(value)),
  decode: (value) => (value === null ? null : codec.decode(value)),
})

/** A column for every field of the flat form `F`. */
export type Columns<F> = { readonly [Field in keyof F & string]: Codec<F[Field]> }

export type Row = { readonly [column: string]: unknown }

/** How values of one shape are kept in a table. */
export interface Shape<A> {
  readonly name: string
  /** In the order of the row. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  /** The columns as a select list. */
  readonly selection: string
  /** The columns as the inside of a row literal: `(…)` makes it one. */
  toRow(value: A): string
  fromRow(row: Row): A
}

/** Where a kind of record is kept and how. */
export interface Table<Record> extends Shape<Record> {
  readonly kind: Kind
  readonly prefix: IdPrefix | null
  /** Whether a worker looks after it: the table has `due_at` and `lease_until`. */
  readonly due: boolean
}

/** `flatten` turns a value into its columns and `restore` turns them back. */
export const describe = <A, F extends object>(
  name: string,
  columns: Columns<F>,
  flatten: (value: A) => F,
  restore: (flat: F) => A,
): Shape<A> => {
  const codecs = Object.entries(columns) as ReadonlyArray<[string, Codec<unknown>]>
  const encoders = codecs.map(([column, codec]) => ({ column, codec }))
  const read = codecs.filter(([, codec]) => codec.derived !== true)
  return {
    name,
    columns: codecs.map(([column, { type }]) => ({ name: column, type })),
    selection: read.map(([column]) => `${name}.${column}`).join(", "),
    toRow(value) {
      const flat = flatten(value) as { readonly [field: string]: unknown }
      let row = ""
      let comma = ""
      // Runs for every column of every record that is written: pairs to take apart would show.
      for (const { column, codec } of encoders) {
        const field = codec.encode(flat[column])
        row += field === null ? comma : comma + quoters[codec.quoted ?? "none"](field)
        comma = ","
      }
      return row
    },
    fromRow(row) {
      const flat: { [field: string]: unknown } = {}
      for (const [column, codec] of read) flat[column] = codec.decode(row[column])
      return restore(flat as F)
    },
  }
}

/**
 * Describes the table of a kind of record. The columns are what the flat form says; `lease_until`
 * is the store's own and no part of it.
 */
export const makeTable = <K extends Kind, F extends object>(description: {
  readonly kind: K
  readonly name: string
  readonly prefix: IdPrefix | null
  readonly due?: boolean
  readonly columns: Columns<F>
  readonly flatten: (record: Records[K]) => F
  readonly restore: (flat: F) => Records[K]
}): Table<Records[K]> => {
  const { columns, due = false, flatten, kind, name, prefix, restore } = description
  return { kind, prefix, due, ...describe(name, columns, flatten, restore) }
}

/** For records whose fields are the columns. */
export const asItIs = <A>(value: A): A => value

/** Sorts behind every UUID in use: where a list starts that starts at its newest. */
export const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
