import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { LIBRARY, mixed } from "../../simulator/scenarios/library.ts"
import { merge } from "../../simulator/scenarios/mergeScenarios.ts"
import { readScenario } from "../../simulator/scenarios/readScenario.ts"
import { scenarioSchema } from "../../simulator/scenarios/scenarioSchema.ts"
import { replaceVariables, setVariables } from "../../simulator/scenarios/Variables.ts"

describe("variables", () => {
  const variables = { count: 12, lost: 0.1, open: true, who: "hasty" }

  test.each<readonly [string, unknown, unknown]>([
    ["a number where it is all of a value", "${count}", 12],
    ["a truth", "${open}", true],
    ["text among other text", "${count} by ${who}", "12 by hasty"],
    ["nothing where the sign is doubled", "$${count}", "${count}"],
    [
      "values of objects and lists",
      { a: ["${lost}", 1], b: "${who}" },
      { a: [0.1, 1], b: "hasty" },
    ],
    ["no names of fields", { "${count}": 1 }, { "${count}": 1 }],
  ])("are %s", (_, data, expected) => {
    expect(replaceVariables(data, variables)).toMatchObject({ data: expected, unknown: [] })
  })

  test("that nobody has declared are told with their place and those that there are", () => {
    const { unknown } = replaceVariables(
      { faults: { set: { callback_lost: "${los}" } } },
      variables,
    )
    expect(unknown).toHaveLength(1)
    expect(unknown[0]?.path).toEqual(["faults", "set", "callback_lost"])
    expect(unknown[0]?.message).toContain("Declared are count, lost, open, who.")
  })

  test.each<readonly [string, string, unknown]>([
    ["a number", "count=3", { count: 3 }],
    ["a truth", "open=false", { open: false }],
    ["text, whatever is in it", "who=a=b", { who: "a=b" }],
  ])("are set as %s", (_, set, expected) => {
    const { variables: after, wrong } = setVariables(variables, [set])
    expect(wrong).toEqual([])
    expect(after).toEqual({ ...variables, ...(expected as object) })
  })

  test.each([
    ["text for a number", "count=many", 'count is a number (12 is declared), and "many" is none'],
    ["nothing for a number", "count=", "count is a number"],
    ["a word for a truth", "open=yes", "open is a boolean"],
    ["one that is not declared", "nix=1", 'there is no variable "nix"'],
    ["one of every object", "toString=1", 'there is no variable "toString"'],
    ["no value", "count", "it has to be name=value"],
  ])("are not set to %s", (_, set, said) => {
    expect(setVariables(variables, [set]).wrong.join()).toContain(said)
  })
})

describe("a scenario that extends another", () => {
  test.each<readonly [string, unknown, unknown, unknown]>([
    ["objects are merged", { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    ["lists are replaced", { a: [1, 2] }, { a: [3] }, { a: [3] }],
    [
      "an object of another shape has nothing of the one before",
      { load: { shape: "steady", mean_gap_ms: 5 } },
      { load: { shape: "bursts", size: 3, pause_ms: 1 } },
      { load: { shape: "bursts", size: 3, pause_ms: 1 } },
    ],
  ])("%s", (_, base, over, expected) => {
    expect(merge(base, over)).toEqual(expected)
  })

  test("takes from a name of the library what it does not say", () => {
    const read = readScenario({
      name: "friday",
      extends: "flash_sale",
      variables: { count: 12, lost: 0.1 },
      payments: "${count}",
      about: "A Friday of ${count} orders",
      faults: { set: { callback_lost: "${lost}" } },
    })
    const sale = LIBRARY.find(({ name }) => name === "flash_sale")
    expect(read).toEqual(
      Result.succeed({
        ...sale,
        name: "friday",
        about: "A Friday of 12 orders",
        payments: 12,
        faults: { base: "none", set: { ...sale?.faults.set, callback_lost: 0.1 } },
      }),
    )
  })

  const friday = { name: "friday", extends: "flash_sale" }

  test.each<readonly [string, object, ReadonlyArray<string>, string]>([
    ["no such scenario", { ...friday, extends: "nothing" }, [], "extends: There is no scenario"],
    ["no name of its own", { extends: "flash_sale" }, [], "name: it is missing"],
    [
      "a variable that nothing uses",
      { ...friday, variables: { q: 1 } },
      [],
      "variables.q: no value",
    ],
    ["a variable in a variable", { ...friday, variables: { q: "${p}" } }, [], "value is plain"],
    ["a name with a space", { ...friday, variables: { "a b": 1 } }, [], "only letters, digits"],
    [
      "a variable of a wrong value",
      { ...friday, variables: { share: 3 }, one_time: "${share}" },
      [],
      "one_time: must be a value between 0 and 1, not 3. The value is that of ${share}",
    ],
    [
      "a setting of a wrong value",
      { ...friday, variables: { share: 0.5 }, one_time: "${share}" },
      ["share=2"],
      "between 0 and 1",
    ],
  ])("is refused with %s", (_, data, set, said) => {
    const read = readScenario(data, { set })
    expect(Result.isFailure(read) ? read.failure.join("\n") : "accepted").toContain(said)
  })
})

describe("the JSON Schema of scenarios' files", () => {
  const isRight = new Ajv2020({ strict: false, allErrors: true }).compile(scenarioSchema())
  const right = (data: unknown): boolean => isRight(JSON.parse(JSON.stringify(data)))

  test("has every scenario of the library, and files that extend one", () => {
    expect(LIBRARY.filter((scenario) => !right(scenario))).toEqual([])
    const file = { $schema: "./s.json", name: "a", extends: "b.yaml", variables: { n: 1 } }
    expect(right({ ...file, payments: "${n}", faults: { set: { callback_lost: "${n}" } } })).toBe(
      true,
    )
  })

  test.each<readonly [string, unknown]>([
    ["a field that there is not", { ...mixed, paymets: 1 }],
    ["text for a number", { ...mixed, payments: "many" }],
    ["a share above one", { ...mixed, one_time: 1.5 }],
    ["no name", { extends: "mixed" }],
    ["neither all fields nor another to take them from", { name: "a", payments: 3 }],
  ])("refuses %s", (_, data) => {
    expect(right(data)).toBe(false)
  })

  test("describes each field", () => {
    const { properties } = scenarioSchema() as { readonly properties: object }
    const silent = Object.entries(properties).filter(
      ([, schema]) => !JSON.stringify(schema).includes('"description"'),
    )
    expect(silent.map(([field]) => field)).toEqual([])
  })
})
