import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { worldAgain } from "../../../apps/simulate/again.ts"
import { scenarioOf } from "../../../apps/simulate/scenarioOf.ts"
import { runSimulate } from "../../support/programs.ts"

let folder = ""
const at = (name: string) => join(folder, name)

const FILES = {
  "sale.yaml":
    "name: sale\nextends: flash_sale\nvariables: { count: 20, lost: 0.1 }\n" +
    'payments: ${count}\nfaults: { set: { callback_lost: "${lost}" } }\n',
  "friday.json": JSON.stringify({ name: "friday", extends: "sale.yaml", variables: { count: 6 } }),
  "a.yaml": "name: a\nextends: b.yaml\n",
  "b.yaml": "name: b\nextends: a.yaml\n",
  "lost.yaml": "name: lost\nextends: nowhere.yaml\n",
  "wrong.yaml": "name: wrong\nextends: bad.yaml\n",
  "bad.yaml": "name: bad\nextends: mixed\none_time: 3\n",
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "payport-scenarios-"))
  for (const [name, text] of Object.entries(FILES)) await writeFile(at(name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("a scenario's file", () => {
  test("extends another file, as its own place has it, and so on to the library", () => {
    const { faults, load, name, payments } = scenarioOf(at("friday.json"))
    expect({ name, payments }).toEqual({ name: "friday", payments: 6 })
    expect(faults.set).toMatchObject({ callback_lost: 0.1, client_parallel: 0.3 })
    expect(load).toEqual(scenarioOf("flash_sale").load)
  })

  test("has its variables set by name", () => {
    const { faults, payments } = scenarioOf(at("friday.json"), "count=9,lost=0.5")
    expect(payments).toBe(9)
    expect(faults.set).toMatchObject({ callback_lost: 0.5 })
  })

  test.each([
    ["a circle, with all of it", "a.yaml", /circle: .*a\.yaml → .*b\.yaml → .*a\.yaml/],
    ["a file that is not there", "lost.yaml", /extends: .*nowhere\.yaml cannot be read/],
    ["what the other file has wrong, and where", "wrong.yaml", /one_time \(in .*bad\.yaml\): /],
  ])("is refused for %s", (_, name, said) => {
    expect(() => scenarioOf(at(name))).toThrow(said)
  })

  test("of the library has no variables", () => {
    expect(() => scenarioOf("flash_sale", "count=3")).toThrow('there is no variable "count"')
    expect(() => scenarioOf(undefined, "count=3")).toThrow('there is no variable "count"')
  })

  test("is played again with what it was set to", () => {
    expect(worldAgain("friday.json", 3, 6, "lost=0.5")).toMatch(
      / --scenario friday\.json --set lost=0\.5 --seed 3 --intents 6$/,
    )
  })

  test("has a JSON Schema, which the command prints", async () => {
    const { code, stdout } = await runSimulate("--schema")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ properties: { variables: {} }, required: ["name"] })
  })
})
