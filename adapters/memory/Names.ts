/** A record's fields by their names, as a declaration names them. */
const valueOf = (record: object, field: string): unknown => Reflect.get(record, field)

/** The set of fields with their values in the same order, as one text. */
export const keyOf = (fields: ReadonlyArray<string>, values: ReadonlyArray<unknown>): string =>
  `${fields.join(",")} ${values.join(" ")}`

/** A record's place among those with a set of fields; undefined where it lacks one of them. */
export const placeIn = (record: object, fields: ReadonlyArray<string>): string | undefined => {
  const values = fields.map((field) => valueOf(record, field))
  return values.some((value) => value === null || value === undefined)
    ? undefined
    : keyOf(fields, values)
}

/** Whether two records have the same values of all these fields. */
export const sharesFields = (
  record: object,
  other: object,
  fields: ReadonlyArray<string>,
): boolean => fields.every((field) => valueOf(record, field) === valueOf(other, field))

/** What of a record has to be one of some values. */
export interface Condition {
  readonly [field: string]: unknown
}

/** Whether the record has the value of each field, or one of its values; undefined says nothing. */
export const matches = (record: object, condition: Condition): boolean => {
  for (const field in condition) {
    const wanted = condition[field]
    if (wanted === undefined) continue
    const value = valueOf(record, field)
    if (Array.isArray(wanted) ? !wanted.includes(value) : wanted !== value) return false
  }
  return true
}

/** Every choice of one value of each field. */
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
