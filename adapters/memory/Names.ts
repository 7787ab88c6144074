/** Returns a record's field by its declared name. */
const valueOf = (record: object, field: string): unknown => Reflect.get(record, field)

/** Returns the set of fields, with their values in the same order, as one text. */
export const keyOf = (fields: ReadonlyArray<string>, values: ReadonlyArray<unknown>): string =>
  `${fields.join(",")} ${values.join(" ")}`

/** Returns a record's place among those with a set of fields; undefined if it lacks one of them. */
export const placeIn = (record: object, fields: ReadonlyArray<string>): string | undefined => {
  const values = fields.map((field) => valueOf(record, field))
  return values.some((value) => value === null || value === undefined)
    ? undefined
    : keyOf(fields, values)
}

/** Whether both records have the same values of all these fields. */
export const sharesFields = (
  record: object,
  other: object,
  fields: ReadonlyArray<string>,
): boolean => fields.every((field) => valueOf(record, field) === valueOf(other, field))

/** The wanted value, or values, of fields. */
export interface Condition {
  readonly [field: string]: unknown
}

/** Whether the record has the wanted value, or one of them, of each field that is not undefined. */
export const matches = (record: object, condition: Condition): boolean => {
  for (const field in condition) {
    const wanted = condition[field]
    if (wanted === undefined) continue
    const value = valueOf(record, field)
    if (Array.isArray(wanted) ? !wanted.includes(value) : wanted !== value) return false
  }
  return true
}

/** Returns every combination of one value per field. */
export const choices = (
  condition: Condition,
  fields: ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<unknown>> =>
  fields.reduce<ReadonlyArray<ReadonlyArray<unknown>>>(
    (chosen, field) => {
      const values: ReadonlyArray<unknown> = [condition[field]].flat()
      return chosen.flatMap((before) => values.map((value) => [...before, value]))
    },
    [[]],
  )
