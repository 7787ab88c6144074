/**
 * Returns a deep copy of plain JSON data that nobody can change. Undefined properties are left out,
 * as in JSON.
 */
export const frozen = <A>(value: A): A => copy(value) as A

const copy = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copy))
  // A spread keeps the engine's layout of the object. Copying entry by entry would not.
  const copied: { [field: string]: unknown } = { ...value }
  let isWhole = true
  for (const field of Object.keys(copied)) {
    const held = copied[field]
    if (held === undefined) isWhole = false
    else if (typeof held === "object" && held !== null) copied[field] = copy(held)
  }
  return Object.freeze(isWhole ? copied : defined(copied))
}

const defined = (fields: { readonly [field: string]: unknown }): object =>
  Object.fromEntries(Object.entries(fields).filter(([, held]) => held !== undefined))
