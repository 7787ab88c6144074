import { type IdPrefix, isId, isUuid } from "../../../core/shared/Id.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"

/** How a value is stored in a column. */
export interface Codec<A> {
  readonly type: string
  /** Returns PostgreSQL's text form of the value, or null. */
  encode(value: A): string | null
  /** Returns the value from what the driver has read. */
  decode(stored: unknown): A
  /** The text form may contain any character, and must be quoted within a row. */
  readonly isQuoted?: true
  /** Long texts are sent beside the rows, which refer to them by number. So they need no quotes. */
  readonly isBeside?: true
  readonly isNullable?: true
  /** A fact that is optional in its state. */
  readonly isOptional?: true
  /** Compared by bytes, independent of the database's locale. */
  readonly isBytewise?: true
  /** Whether the value fits in the column. Without it, every value does. */
  accepts?(value: A): boolean
  /** The CHECK of the column's values, a second line of defence; `…` stands for its name. */
  readonly check?: string
}

const asText = (value: string | number | boolean): string => String(value)

/** The driver reads what was stored: the columns' types and CHECKs guarantee that. */
const stored = (value: unknown) => value as never

export const text: Codec<string> = { type: "text", encode: asText, decode: stored, isQuoted: true }
/** A text that is long or full of quotes. */
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

/** One of a closed list of words. A given list becomes the column's CHECK. */
export const word = <W extends string>(...words: ReadonlyArray<W>): Codec<W> => ({
  ...text,
  encode: asText,
  decode: stored,
  ...(words.length > 0 && { check: `… IN (${words.map((each) => `'${each}'`).join(", ")})` }),
})

/** Returns the column with a CHECK, in which `…` stands for the column's name. */
export const checked = <A>(codec: Codec<A>, check: string): Codec<A> => ({ ...codec, check })

/** A text that is compared by its bytes. */
export const plainText = (check?: string): Codec<string> => ({
  ...text,
  isBytewise: true,
  ...(check !== undefined && { check }),
})

/** A JSON document, stored with the order of fields in which it was written. */
export const json = <A>(): Codec<A> => ({
  type: "json",
  encode: (value) => JSON.stringify(value),
  decode: stored,
  isBeside: true,
})

export const jsonObject = <A>(): Codec<A> => checked(json(), "json_typeof(…) = 'object'")
export const jsonArray = <A>(): Codec<A> => checked(json(), "json_typeof(…) = 'array'")

/** A JSON array of which most rows have nothing: without elements it is null. */
export const sparseArray = <A>(): Codec<ReadonlyArray<A>> => {
  const array = jsonArray<ReadonlyArray<A>>()
  return {
    ...array,
    isNullable: true,
    encode: (values) => (values.length === 0 ? null : array.encode(values)),
    decode: (value) => (value === null ? [] : array.decode(value)),
  }
}

/** Returns the text in the quotes of array and row literals. */
export const quote = (value: string): string =>
  value.includes('"') || value.includes("\\") ? `"${value.replace(SPECIAL, "\\$&")}"` : `"${value}"`

const SPECIAL = /["\\]/g

export const textArray: Codec<ReadonlyArray<string>> = {
  type: "text[]",
  encode: (values) => `{${values.map(quote).join(",")}}`,
  decode: stored,
  isQuoted: true,
}

/** Minor units. The driver reads a bigint, and the CHECKs keep it within exact numbers. */
export const minorUnits: Codec<number> = { type: "bigint", encode: asText, decode: Number }

/** An exact decimal as text. */
export const decimal: Codec<string> = { type: "numeric", encode: asText, decode: stored }

export const timestamp: Codec<number> = {
  type: "timestamptz(3)",
  encode: toIso,
  decode: (value) => (value as Date).getTime(),
}

/** Returns the bare UUID of an identifier such as `pi_…`. A wrong prefix is a defect. */
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

/** Begins at 1. Each change of a record adds one. */
export const version = checked(integer, "… >= 1")
/** A number from 0. */
export const count = checked(integer, "… >= 0")
/** Three letters. A regular expression would cost more per insert than all other checks. */
export const currency = checked(
  text,
  "length(…) = 3 AND ltrim(…, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') = ''",
)
/** An amount that is paid or given back: at least one minor unit. */
export const amount = checked(minorUnits, "… BETWEEN 1 AND 1000000000000")
export const sha256 = checked(text, "… ~ '^[0-9a-f]{64}$'")

/** Marks a fact as optional in its state. */
export const optional = <A>(codec: Codec<A>) => ({ ...codec, isOptional: true as const })

/** Sorts after every UUID in use: the start of a list from its newest record. */
export const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** An amount of money as a document. */
export const moneyDocument = <A>(): Codec<A> =>
  checked(
    json(),
    `json_typeof(…) = 'object' AND length(…->>'currency') = 3
    AND (…->>'value')::bigint BETWEEN 1 AND 1000000000000`,
  )

/** A spend cap per period, as a document. */
export const capDocument = <A>(): Codec<A> =>
  checked(
    json(),
    `json_typeof(…) = 'object' AND json_typeof(…->'amount') = 'object'
    AND …->>'period' IN ('daily', 'weekly', 'monthly')`,
  )
