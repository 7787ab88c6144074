import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rulesLanguage } from "../../../adapters/language/layer.ts"
import { groupsBehindName } from "../../../core/language/UnclearAmount.ts"
import { understandQuery } from "../../../core/language/understandQuery.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, world } from "../../support/world.ts"

describe("a number in groups behind an unquoted name", () => {
  it.each<readonly [text: string, service: string, groups: string | undefined]>([
    ["pay Area 51 100 JPY", "Area", "51 100"],
    ["pay Area 51 100 JPY", "Area 51", "51 100"],
    ["pay Area 51 100 000 JPY", "Area 51", "51 100 000"],
    ["pay Area 51 100.50 USD", "Area 51", "51 100"],
    ["pay Area\u00a051\u202f100 JPY", "Area 51", "51 100"],
    ["pay the Area area, I mean Area 51 100 JPY", "Area 51", "51 100"],
    ["付给机场 51 100元", "机场", "51 100"],
    ["pay Area 51 000 JPY", "Area", undefined],
    ["pay Area 51 1000 JPY", "Area 51", undefined],
    ["pay Area 51 50 JPY", "Area 51", undefined],
    ["pay Area 51 1,100 JPY", "Area 51", undefined],
    ["pay Area 51 $100", "Area 51", undefined],
    ['pay "Area 51" 100 JPY', "Area 51", undefined],
    ['pay "Area" 51 100 JPY', "Area", undefined],
    ["pay 51 100 JPY to Area", "Area", undefined],
    ["pay 51 100 JPY to Area 51", "Area 51", undefined],
  ])("%s to %s: %s", (text, service, groups) => {
    expect(groupsBehindName(text, { intent: "pay", service, amount: "100" })).toBe(groups)
  })
})

const inWorld = Effect.provide(rulesLanguage.pipe(Layer.provideMerge(world(makeScript()))))

/** Returns the amount that would be paid to the only service, else what is asked for. */
const answer = Effect.fnUntraced(function* (name: string, text: string) {
  yield* seed({ name })
  const { action, view } = yield* understandQuery(as(buyer), text)
  if (action?.type !== "pay") return view.missing
  return `${action.input.amount?.value} ${action.input.amount?.currency}`
})

type Wanted = string | ReadonlyArray<string>

describe("a number that may belong to the name or to the amount", () => {
  it.effect.each<readonly [name: string, text: string, wanted: Wanted]>([
    ["Area 51 Tours", "pay Area 51 100 JPY", ["wording"]],
    ["Area 51 Tours", "send Area 51 100 yen, thanks", ["wording"]],
    ["Area 51", "pay Area 51 100 JPY", ["wording"]],
    ["Area", "pay Area 51 100 JPY", ["wording"]],
    ["Area 51 Tours", 'pay "Area 51" 100 JPY', "100 JPY"],
    ["Area 51 Tours", "pay 100 JPY to Area 51", "100 JPY"],
    ["Area 51 Tours", "pay Area 51 1,100 JPY", "1100 JPY"],
    ["Area", "pay 51 100 JPY to Area", "51100 JPY"],
    ["机场51旅行", "付给机场 51 100元", ["wording"]],
    ["Take Twenty Tours", "pay Take Twenty Five dollars", ["wording"]],
    ["Take Twenty", "pay Take Twenty Five dollars", ["wording"]],
    ["Weather", "pay Weather twenty five dollars", "2500 USD"],
  ])("only %s: %s", ([name, text, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(name, text)).toEqual(wanted)
    }).pipe(inWorld),
  )

  it.effect("is in the question", () =>
    Effect.gen(function* () {
      yield* seed({ name: "Area 51 Tours" })
      const { view } = yield* understandQuery(as(buyer), "pay Area 51 100 JPY")
      expect(view.clarification).toContain('"51 100"')
      expect(view.entities).not.toHaveProperty("amount")
      expect(view).not.toHaveProperty("summary")
    }).pipe(inWorld),
  )
})
