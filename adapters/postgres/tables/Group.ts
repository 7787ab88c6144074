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

/** An amount of money in two columns. `value` says what its minor units are bound to. */
export const money = (name: string, value: Codec<number>): Group<Money> => ({
  parts: {
    [`${name}_currency`]: part(currency, (given) => given.currency),
    [`${name}_value`]: part(value, (given) => given.value),
  },
  restore: (decoded) => ({
    currency: decoded[`${name}_currency`] as string,
    value: decoded[`${name}_value`] as number,
  }),
})

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
export const payer: Group<Payer> = {
  parts: {
    payer_agent_id: part(text, ({ agent_id }) => agent_id),
    payer_human_id: part(nullable(text), ({ human_id }) => human_id),
  },
  restore: (decoded) => ({
    agent_id: decoded["payer_agent_id"] as string,
    human_id: decoded["payer_human_id"] as string | null,
  }),
}
