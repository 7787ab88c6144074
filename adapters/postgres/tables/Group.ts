import type { Money } from "../../../core/shared/Money.ts"
import { type Codec, currency, minorUnits, nullable, text } from "./codecs.ts"

/** A column's value as the driver has read it and its codec has understood it. */
export interface Decoded {
  readonly [column: string]: unknown
}

/** A column that is written from a part of a value. */
export interface Part<A> {
  readonly codec: Codec<unknown>
  readonly of: (value: A) => unknown
}

/** A field that is kept in several columns, or is read from columns of other fields as well. */
export interface Group<A> {
  readonly parts: { readonly [column: string]: Part<A> }
  /** `decoded` has the columns of all groups, `value` the fields that have one of their own. */
  readonly restore: (decoded: Decoded, value: Decoded) => A
}

/** A column of what `of` takes from the value. */
export const part = <A, V>(codec: Codec<V>, of: (value: A) => V): Part<A> => ({
  codec,
  of,
})

/** A value whose fields have a column each: of each field the column's name, and its codec. */
export const inColumns = <A extends object>(fields: {
  readonly [F in keyof A]-?: readonly [column: string, codec: Codec<A[F]>]
}): Group<A> => {
  const kept = Object.entries<readonly [column: string, codec: Codec<unknown>]>(fields)
  return {
    parts: Object.fromEntries(
      kept.map(([field, [column, codec]]) => [
        column,
        part(codec, (value: A): unknown => Reflect.get(value, field)),
      ]),
    ),
    restore: (decoded) => {
      const value: { [field: string]: unknown } = {}
      for (const [field, [column]] of kept) value[field] = decoded[column]
      return value as A
    },
  }
}

/** An amount of money in two columns. `value` says what its minor units are bound to. */
export const money = (name: string, value: Codec<number>): Group<Money> =>
  inColumns({ currency: [`${name}_currency`, currency], value: [`${name}_value`, value] })

/** An amount of money whose currency is in another column. */
export const moneyIn = (currencyColumn: string, name: string): Group<Money> => ({
  parts: { [name]: part({ ...minorUnits, check: "… >= 0" }, (given) => given.value) },
  restore: (decoded) => ({
    currency: decoded[currencyColumn] as string,
    value: decoded[name] as number,
  }),
})

interface Payer {
  readonly agent_id: string
  readonly human_id: string | null
}

/** Who pays, where that is an agent and perhaps a person behind it. */
export const payer: Group<Payer> = inColumns({
  agent_id: ["payer_agent_id", text],
  human_id: ["payer_human_id", nullable(text)],
})
