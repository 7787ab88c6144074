import type { Money } from "../../../core/shared/Money.ts"
import { type Codec, currency, minorUnits, nullable, text } from "./codecs.ts"

/** A row's values, as its codecs have decoded them. */
export interface Decoded {
  readonly [column: string]: unknown
}

/** A column that holds a part of a value. */
export interface Part<A> {
  readonly codec: Codec<unknown>
  readonly of: (value: A) => unknown
}

/** A field in several columns, or one that is also read from columns of other fields. */
export interface Group<A> {
  readonly parts: { readonly [column: string]: Part<A> }
  /** `decoded` has the columns of all groups. `value` has the fields with a column of their own. */
  readonly restore: (decoded: Decoded, value: Decoded) => A
}

/** Returns a column for what `of` takes from the value. */
export const part = <A, V>(codec: Codec<V>, of: (value: A) => V): Part<A> => ({
  codec,
  of,
})

/** Returns a group with one column per field: for each field the column's name and its codec. */
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

/** Returns an amount of money in two columns. `value` is the codec of its minor units. */
export const money = (name: string, value: Codec<number>): Group<Money> =>
  inColumns({ currency: [`${name}_currency`, currency], value: [`${name}_value`, value] })

/** Returns an amount of money whose currency is in another column. */
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

/** The payer, if it is an agent, and the person behind it, if any. */
export const payer: Group<Payer> = inColumns({
  agent_id: ["payer_agent_id", text],
  human_id: ["payer_human_id", nullable(text)],
})
