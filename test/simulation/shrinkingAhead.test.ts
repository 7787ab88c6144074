import { describe, expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import { makeChance } from "../../simulator/random/Chance.ts"
import { shrink } from "../../simulator/shrinking/shrink.ts"
import { Shrinker, type Shrunk, type Try } from "../../simulator/shrinking/Shrinker.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"

/** Four payments and nothing else, so that the order of attempts is short to write down. */
const four: Script = {
  ...drawScript({ seed: 1, intents: 4, faults: {}, parts: [] }),
  faults: {},
  incidents: [],
  crashes: [],
}

const numbersOf = ({ payments }: Script): string =>
  payments.map(({ number }) => String(number)).join("")

/**
 * The order of starts and answers: `+` starts the next try, with the payments after it (`-` if no
 * try could start), and `0123 fails` or `0123 holds` is the answer to the try with these payments.
 */
const played = (said: ReadonlyArray<string>, tries = 400) => {
  const shrinker = new Shrinker(four, [], { tries })
  const under = new Map<string, Try>()
  const begun: Array<string> = []
  for (const what of said) {
    if (what === "+") {
      const next = shrinker.begin()
      begun.push(next === undefined ? "-" : `[${numbersOf(next.script)}]`)
      if (next !== undefined) under.set(numbersOf(next.script), next)
    } else {
      const [numbers = "", answer] = what.split(" ")
      const one = under.get(numbers)
      if (one === undefined) throw new Error(`Nothing with ${numbers} has begun.`)
      shrinker.hear(one, answer === "fails")
    }
  }
  const wanted = [...under].filter(([, one]) => shrinker.isWanted(one)).map(([name]) => name)
  const { payments: left, tries: told } = shrinker.now
  return { begun: begun.join(" "), wanted, left, tried: told }
}

describe("several attempts under way at a time", () => {
  test.each<readonly [string, ReadonlyArray<string>, object]>([
    [
      "are those that come next while nothing fails",
      ["+", "+", "+", "+"],
      { begun: "[] [23] [01] [123]", wanted: ["", "23", "01", "123"], left: 4, tried: 0 },
    ],
    [
      "count once all before them are known",
      ["+", "+", "+", "01 holds", "23 holds"],
      { begun: "[] [23] [01]", wanted: ["", "23", "01"], left: 4, tried: 0 },
    ],
    [
      "count together when the first is known at last",
      ["+", "+", "+", "01 holds", "23 holds", " holds"],
      { begun: "[] [23] [01]", wanted: [], left: 4, tried: 3 },
    ],
    [
      "are forgotten where one before them fails, also those that were answered",
      ["+", "+", "+", "+", "123 holds", " holds", "23 fails", "01 fails", "+"],
      { begun: "[] [23] [01] [123] [3]", wanted: ["3"], left: 2, tried: 2 },
    ],
    [
      "go on from one that fails before those ahead of it are known",
      ["+", "+", "+", "01 fails", "+", "+"],
      { begun: "[] [23] [01] [1] [0]", wanted: ["", "23", "01", "1", "0"], left: 4, tried: 0 },
    ],
    [
      "are forgotten with all that followed from them",
      ["+", "+", "+", "01 fails", "+", " holds", "23 fails", "+"],
      { begun: "[] [23] [01] [1] [3]", wanted: ["3"], left: 2, tried: 2 },
    ],
  ])("%s", (_, said, expected) => {
    expect(played(said)).toEqual(expected)
  })

  test("are no more than there are tries", () => {
    expect(played(["+", "+", "+", "+", " holds", "+"], 3)).toMatchObject({
      begun: "[] [23] [01] - -",
      tried: 1,
    })
    expect(played(["+", "+", "+", " holds", "23 fails", "+", "+"], 3)).toMatchObject({
      begun: "[] [23] [01] [3] -",
      tried: 2,
    })
  })

  test("none begins once the time is up, and those under way still count", () => {
    let isTimeUp = false
    const shrinker = new Shrinker(four, [], { tries: 400, isTimeUp: () => isTimeUp })
    const [first, second] = [shrinker.begin(), shrinker.begin()]
    if (first === undefined || second === undefined) throw new Error("Nothing begins.")
    isTimeUp = true
    expect(shrinker.begin()).toBeUndefined()
    shrinker.hear(second, true)
    expect(shrinker.isIdle).toBe(false)
    shrinker.hear(first, false)
    expect(shrinker.begin()).toBeUndefined()
    expect(shrinker.isIdle).toBe(true)
    expect(shrinker.shrunk).toMatchObject({ tries: 2, why: "few_enough", script: second.script })
  })
})

/** Runs several tries at a time, whose answers come in any order. */
const shrinkAhead = (
  script: Script,
  fails: (script: Script) => boolean,
  most: number,
  tries: number,
): Shrunk => {
  const chance = makeChance(`order of ${most} at a time`)
  const shrinker = new Shrinker(script, [], { tries })
  const under: Array<Try> = []
  for (;;) {
    for (let next: Try | undefined; under.length < most; under.push(next)) {
      next = shrinker.begin()
      if (next === undefined) break
    }
    const [one] = under.splice(chance.int(0, under.length - 1), 1)
    if (one === undefined) return shrinker.shrunk
    shrinker.hear(one, fails(one.script))
  }
}

describe("several at a time come to what one after the other does", () => {
  const script = drawScript({ seed: 4, intents: 20 })
  const pays = ({ payments }: Script, ...numbers: ReadonlyArray<number>): boolean =>
    numbers.every((number) => payments.some((plan) => plan.number === number))
  /** Whether it shows is a matter of chance, and the same whenever it is tried. */
  const byChance = (smaller: Script): boolean =>
    pays(smaller, 3) && makeChance(JSON.stringify(smaller)).hits(0.5)

  test.each<readonly [string, (script: Script) => boolean, number]>([
    ["one payment is needed", (smaller) => pays(smaller, 17), 400],
    ["three are needed", (smaller) => pays(smaller, 2, 11, 19), 400],
    ["only an even number fails", ({ payments }) => payments.length % 2 === 0, 400],
    ["chance decides", byChance, 400],
    ["everything fails", () => true, 400],
    ["nothing fails", () => false, 400],
    ["the tries are over soon", (smaller) => pays(smaller, 2, 11, 19), 37],
  ])("where %s", (_, fails, tries) => {
    const alone = shrink(script, [], fails, { tries })
    for (const most of [1, 2, 3, 8]) expect(shrinkAhead(script, fails, most, tries)).toEqual(alone)
  })
})
