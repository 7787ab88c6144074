/** A sealed value and the context that it is bound to. */
export interface SealedValue {
  readonly place: string
  readonly sealed: string
}

/** Replaces each sealed value of a record of a kind by the result of `change`. */
export type SealedFields<R> = (record: R, change: (value: SealedValue) => string) => R

/** Returns the sealed values of a record, in the order of its kind. */
export const sealedIn = <R>(fields: SealedFields<R>, record: R): ReadonlyArray<SealedValue> => {
  const found: Array<SealedValue> = []
  fields(record, (value) => {
    found.push(value)
    return value.sealed
  })
  return found
}

/** Replaces the sealed values of a record; values without a replacement stay. */
export const resealed = <R>(
  fields: SealedFields<R>,
  record: R,
  anew: ReadonlyMap<string, string>,
): R => fields(record, ({ sealed }) => anew.get(sealed) ?? sealed)
