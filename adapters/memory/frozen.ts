/**
 * A deep copy of plain JSON data that nobody can change. Properties that are undefined are left
 * out, as they are in JSON.
 */
export const frozen = <A>(value: A): A => copy(value) as A

const copy = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copy))
  return Object.freeze(
    Object.fromEntries(
      Object.entries(value).flatMap(([field, held]) =>
        held === undefined ? [] : [[field, copy(held)]],
      ),
    ),
  )
}
