/** `v2.`, the id of the data key, `.` and the bytes in base64url. */
const FORM = /^v2\.([A-Za-z0-9_-]{8})\.[A-Za-z0-9_-]+$/

/** The id of the data key that a sealed text names; undefined for what is no sealed text. */
export const sealedUnder = (sealed: string): string | undefined => FORM.exec(sealed)?.[1]

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
