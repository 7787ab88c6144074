import { Schema } from "effect"
import { expect, expectTypeOf, test } from "vitest"
import { shownAs } from "../../../core/shared/View.ts"
import { Time } from "../../../core/shared/Wire.ts"

const Thing = Schema.Struct({
  id: Schema.String,
  size: Schema.Int,
  ended_at: Schema.optionalKey(Time),
  seen_at: Schema.NullOr(Time.annotate({ description: "Null before." })),
  label: Schema.String,
})
const thing = { label: "a", id: "thing_1", size: 0, seen_at: null, secret: "hidden" }

test("shows what the Schema names, in its order, and nothing else", () => {
  expect(JSON.stringify(shownAs(Thing, thing))).toBe(
    '{"id":"thing_1","size":0,"seen_at":null,"label":"a"}',
  )
  expectTypeOf(shownAs(Thing, thing)).toEqualTypeOf<typeof Thing.Type>()
})

test("shows times as ISO 8601, and numbers as they are", () => {
  const view = shownAs(Thing, { ...thing, ended_at: 0, seen_at: 1_000 })
  expect(view).toEqual({
    id: "thing_1",
    size: 0,
    ended_at: "1970-01-01T00:00:00.000Z",
    seen_at: "1970-01-01T00:00:01.000Z",
    label: "a",
  })
})

test("takes what is given besides, where the Schema names it", () => {
  const { size: _size, ...rest } = thing
  const more = { size: 2, label: "b", other: true }
  expect(shownAs(Thing, rest, more)).toEqual({ id: "thing_1", size: 2, seen_at: null, label: "b" })
})

test("a record that lacks a field does not compile", () => {
  const { size: _size, ...rest } = thing
  // @ts-expect-error size is neither in the record nor given
  expect(Schema.is(Thing)(shownAs(Thing, rest))).toBe(false)
})
