/** A sealed value with the place that it is bound to. */
export interface SealedValue {
  readonly place: string
  readonly sealed: string
}

/** Where the sealed values of a kind are: gives each to `change` and puts its answer there. */
export type SealedFields<R> = (record: R, change: (value: SealedValue) => string) => R

/** The sealed values of a record, in the order in which its kind goes through them. */
export const sealedIn = <R>(fields: SealedFields<R>, record: R): ReadonlyArray<SealedValue> => {
  const found: Array<SealedValue> = []
  fields(record, (value) => {
    found.push(value)
    return value.sealed
  })
  return found
}

/** The record with its sealed values replaced; those without a new one stay. */
export const resealed = <R>(
  fields: SealedFields<R>,
  record: R,
  anew: ReadonlyMap<string, string>,
): R => fields(record, ({ sealed }) => anew.get(sealed) ?? sealed)
