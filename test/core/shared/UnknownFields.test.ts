import { Schema } from "effect"
import { describe, expect, test } from "vitest"
import { unknownFields, unknownFieldsOf } from "../../../core/shared/Decode.ts"

const Item = Schema.Struct({ sku: Schema.String, count: Schema.optionalKey(Schema.Number) })

const find = unknownFieldsOf(
  Schema.Struct({
    service_id: Schema.String,
    amount: Schema.NullOr(Schema.Struct({ currency: Schema.String, value: Schema.Number })),
    items: Schema.optionalKey(Schema.Array(Item)),
    queries: Schema.optionalKey(Schema.Array(Schema.Union([Schema.String, Item]))),
    metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    anything: Schema.optionalKey(Schema.Unknown),
  }),
)

const KNOWN = "service_id, amount, items, queries, metadata, anything"

describe("fields that a schema does not know", () => {
  test.each<[name: string, input: unknown, found: ReadonlyArray<readonly [string, string?]>]>([
    ["none", { service_id: "1", amount: null }, []],
    ["misspelt", { servce_id: "1" }, [["servce_id", "service_id"]]],
    ["in another case", { serviceId: "1" }, [["serviceId", "service_id"]]],
    ["with letters swapped", { amuont: 1 }, [["amuont", "amount"]]],
    ["like nothing", { zzz: 1 }, [["zzz"]]],
    ["within an object", { amount: { curency: "USD" } }, [["amount.curency", "currency"]]],
    ["within a list", { items: [{ sku: "a" }, { skü: "b" }] }, [["items.1.skü", "sku"]]],
    ["within a union", { queries: ["a", { sku: "a", cuont: 1 }] }, [["queries.1.cuont", "count"]]],
    ["where any name may stand", { metadata: { x: { y: 1 } }, anything: { z: 1 } }, []],
    ["of a value of another kind", { amount: 5, items: { a: 1 }, queries: [[1]] }, []],
    ["not an object", [1], []],
  ])("%s", (_name, input, found) => {
    expect(find(input).map(({ field, nearest }) => [field, nearest])).toEqual(
      found.map(([field, nearest]) => [field, nearest]),
    )
  })

  test("are named up to a bound, and no longer than a name may be", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n]))
    expect(find(many)).toHaveLength(20)
    const [long] = find({ ["🦊".repeat(1_000)]: 1 })
    expect([...(long?.field ?? "")]).toHaveLength(128)
    expect(long?.field.isWellFormed()).toBe(true)
  })

  test("are refused with what they may have been meant to be", () => {
    const all = find({ amuont: 1, zzz: 2 })
    expect(unknownFields(all[0]!, all)).toMatchObject({
      code: "INVALID_REQUEST",
      message: 'The field "amuont" is not a known field; did you mean amount?',
      field: "amuont",
      details: [
        { field: "amuont", reason: "is not a known field; did you mean amount?" },
        { field: "zzz", reason: `is not a known field; known are ${KNOWN}` },
      ],
    })
    expect(unknownFields(all[1]!, all).message).toBe(
      `The field "zzz" is not a known field; known are ${KNOWN}.`,
    )
    const [inNothing] = unknownFieldsOf(Schema.Struct({}))({ zzz: 1 })
    expect(unknownFields(inNothing!, []).message).toContain("; there are none.")
  })
})
