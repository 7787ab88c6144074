import { describe, expect, test } from "vitest"
import { simulate } from "../../simulator/simulate.ts"
import { accessFlaws } from "./accessFlaws.ts"
import { channelFlaws } from "./channelFlaws.ts"
import { deliveryFlaws } from "./deliveryFlaws.ts"
import type { Flaw } from "./flaw.ts"
import { identityFlaws } from "./identityFlaws.ts"
import { refundFlaws } from "./refundFlaws.ts"
import { statementFlaws } from "./statementFlaws.ts"
import { storeFlaws } from "./storeFlaws.ts"

const SEEDS = 50
const INTENTS = 40

/** The numbers of the invariants that break, world by world, until one is among the expected. */
const broken = ({ alterations, faults = {}, noticed_by }: Flaw): ReadonlyArray<number> => {
  const numbers = new Set<number>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const world = { seed, intents: INTENTS, alterations, faults, stop_at: noticed_by }
    const { invariants } = simulate(world)
    for (const { number, violations } of invariants) if (violations > 0) numbers.add(number)
    if (noticed_by.some((number) => numbers.has(number))) break
  }
  return [...numbers]
}

describe("a world in which something is wrong", () => {
  test.each([
    ...storeFlaws,
    ...channelFlaws,
    ...refundFlaws,
    ...accessFlaws,
    ...deliveryFlaws,
    ...statementFlaws,
    ...identityFlaws,
  ])("is noticed: $name", (flaw) => {
    const numbers = broken(flaw)
    const expected = numbers.filter((number) => flaw.noticed_by.includes(number))
    expect(expected, `broken: ${numbers.join(", ") || "nothing"}`).not.toEqual([])
  })
})
