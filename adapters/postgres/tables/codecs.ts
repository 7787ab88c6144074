import { type IdPrefix, isId, isUuid } from "../../../core/shared/Id.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"

/** How a value is kept in a column. */
export interface Codec<A> {
  readonly type: string
  /** The text form as PostgreSQL reads it, or null. */
  encode(value: A): string | null
  /** What comes back of what the driver reads. */
  decode(stored: unknown): A
  /** The text form may hold anything, and has to be quoted within a row. */
  readonly isQuoted?: true
  /** Long texts travel beside the rows, which name them by their numbers: nobody quotes them. */
  readonly isBeside?: true
  readonly isNullable?: true
  /** A fact that a record may lack in a state in which others have it. */
  readonly isOptional?: true
  /** Compared by its bytes, whatever the database's language. */
  readonly isBytewise?: true
  /** Whether a value can be in the column at all; without it any can. */
  accepts?(value: A): boolean
  /** The second wall: what holds of the column's values; `…` stands for its name. */
  readonly check?: string
}

const asText = (value: string | number | boolean): string => String(value)

/** What the driver reads is what was stored: the columns' types and CHECKs see to that. */
const stored = (value: unknown) => value as never

export const text: Codec<string> = { type: "text", encode: asText, decode: stored, isQuoted: true }
/** A text that is longer than most, or full of quotes. */
export const longText: Codec<string> = {
  type: "text",
  encode: asText,
  decode: stored,
  isBeside: true,
}
export const boolean: Codec<boolean> = { type: "boolean", encode: asText, decode: stored }
export const integer: Codec<number> = { type: "integer", encode: asText, decode: stored }
export const uuid: Codec<string> = {
  type: "uuid",
  encode: asText,
  decode: stored,
  accepts: isUuid,
}

/** One of a closed list of words; where the list is given, the table's CHECK holds it as well. */
export const word = <W extends string>(...words: ReadonlyArray<W>): Codec<W> => ({
  ...text,
  encode: asText,
  decode: stored,
  ...(words.length > 0 && { check: `… IN (${words.map((each) => `'${each}'`).join(", ")})` }),
})

/** The column with a CHECK of its own, in which `…` stands for its name. */
export const checked = <A>(codec: Codec<A>, check: string): Codec<A> => ({ ...codec, check })

/** A text that is compared by its bytes. */
export const plainText = (check?: string): Codec<string> => ({
  ...text,
  isBytewise: true,
  ...(check !== undefined && { check }),
})

/** A JSON document, kept as it was written: the order of its fields is its author's. */
export const json = <A>(): Codec<A> => ({
  type: "json",
  encode: (value) => JSON.stringify(value),
  decode: stored,
  isBeside: true,
})

export const jsonObject = <A>(): Codec<A> => checked(json(), "json_typeof(…) = 'object'")
export const jsonArray = <A>(): Codec<A> => checked(json(), "json_typeof(…) = 'array'")

/** Text in the quotes that array and row literals take. */
export const quote = (value: string): string =>
  value.includes('"') || value.includes("\\") ? `"${value.replace(SPECIAL, "\\$&")}"` : `"${value}"`

const SPECIAL = /["\\]/g

export const textArray: Codec<ReadonlyArray<string>> = {
  type: "text[]",
  encode: (values) => `{${values.map(quote).join(",")}}`,
  decode: stored,
  isQuoted: true,
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
  accepts: (value) => isId(prefix, value),
})

export const nullable = <A>(codec: Codec<A>): Codec<A | null> => ({
  ...codec,
  isNullable: true,
  encode: (value) => (value === null ? null : codec.encode(value)),
  decode: (value) => (value === null ? null : codec.decode(value)),
})

/** From 1: each change of a record adds one. */
export const version = checked(integer, "… >= 1")
/** A number that is counted from 0. */
export const count = checked(integer, "… >= 0")
/** Three letters. A regular expression would cost an insert more than all its other checks. */
export const currency = checked(
  text,
  "length(…) = 3 AND ltrim(…, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') = ''",
)
/** What is paid or given back: at least one minor unit. */
export const amount = checked(minorUnits, "… BETWEEN 1 AND 1000000000000")
export const sha256 = checked(text, "… ~ '^[0-9a-f]{64}$'")

/** A fact that a record in the state may lack. */
export const optional = <A>(codec: Codec<A>) => ({ ...codec, isOptional: true as const })

/** Sorts behind every UUID in use: where a list starts that starts at its newest. */
export const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** An amount of money as a document. */
export const moneyDocument = <A>(): Codec<A> =>
  checked(
    json(),
    `json_typeof(…) = 'object' AND length(…->>'currency') = 3
    AND (…->>'value')::bigint BETWEEN 1 AND 1000000000000`,
  )

/** What may be spent in a period, as a document. */
export const capDocument = <A>(): Codec<A> =>
  checked(
    json(),
    `json_typeof(…) = 'object' AND json_typeof(…->'amount') = 'object'
    AND …->>'period' IN ('daily', 'weekly', 'monthly')`,
  )
