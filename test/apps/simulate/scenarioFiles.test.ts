import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { worldAgain } from "../../../apps/simulate/again.ts"
import { readOptions } from "../../../apps/simulate/options.ts"
import {
  listScenarios,
  type ScenarioChoice,
  scenarioOf,
} from "../../../apps/simulate/scenarioOf.ts"
import { scenarioSchemaFile } from "../../../apps/packages/scenarioSchemaFile.ts"
import { watchedOf } from "../../../apps/simulate/watch/watched.ts"
import { runSimulate } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

let folder = ""
const at = (name: string) => join(folder, name)

const choice = { library: undefined, set: [] } as const

const play = (scenario: string | undefined, other: Partial<ScenarioChoice> = {}) =>
  scenarioOf({ ...choice, scenario, ...other }).scenario

/** The byte order mark that some editors put first. */
const MARK = "\ufeff"

const FILES = {
  "marked.json": `${MARK}{\n"name": "marked", "extends": "marked.yaml"}`,
  "marked.yaml": `${MARK}name: of_yaml\nextends: mixed\npayments: 4\n`,
  "wide.yaml": Buffer.from(`${MARK}name: wide\nextends: mixed\n`, "utf16le"),
  "sale.yaml":
    "name: sale\nextends: flash_sale\nvariables: { count: 20, lost: 0.1 }\n" +
    'payments: ${count}\nfaults: { set: { callback_lost: "${lost}" } }\n',
  "friday.json": JSON.stringify({ name: "friday", extends: "sale.yaml", variables: { count: 6 } }),
  "a.yaml": "name: a\nextends: b.yaml\n",
  "b.yaml": "name: b\nextends: a.yaml\n",
  "lost.yaml": "name: lost\nextends: nowhere.yaml\n",
  "wrong.yaml": "name: wrong\nextends: bad.yaml\n",
  "bad.yaml": "name: bad\nextends: mixed\none_time: 3\n",
  "list.yaml": `name: list
extends: mixed
payers:
  - { persona: "prompt" }
  # The second.
  - persona: "prompt"
    share: much
`,
  "typo.json": `{
  "name": "typo",
  "extends":
    "mixed",
  "lod": 3
}`,
  "used.yaml": `name: used
extends: mixed
variables:
  x: 3
one_time: \${x}
`,
  "empty.yaml": "",
  "comments.yaml": "# Nothing yet.\n# And no more.\n",
  "told.yaml": 'name: told\nextends: mixed\nvariables: { who: "me" }\nabout: "${who}"\n',
  "number.yaml": "# A number.\n3\n",
  "circle.yaml": "name: circle\nextends: mixed\nload: &load\n  shape: steady\n  gap: *load\n",
  "deep.yaml": `name: deep\nextends: mixed\nservices: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
  "deep.json": `{"name": "deep", "services": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  "extends.yaml": "name: extends\nextends: circle.yaml\n",
  "escape.yaml": 'name: escape\nextends: mixed\n"\\e[2J": 1\n',
  "years.yaml":
    "name: years\nextends: mixed\npayments: 1\nload: { shape: steady, mean_gap_ms: 31536000000 }\n",
  "uses.yaml": "name: uses\nextends: Team-Sale\n",
  "team/one.yaml": "name: team_sale\nextends: mixed\npayments: 3\n",
  "team/notes.txt": "no scenario\n",
  "same/one.yaml": "name: Flash-Sale\nextends: mixed\n",
  "twice/one.yaml": "name: x\nextends: mixed\n",
  "twice/two.yaml": "name: X\nextends: mixed\n",
  "nameless/one.yaml": "payments: 3\n",
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "payport-scenarios-"))
  for (const name of ["team", "team/old.yaml", "same", "twice", "nameless"]) await mkdir(at(name))
  for (const [name, text] of Object.entries(FILES)) await writeFile(at(name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("a scenario's file", () => {
  test("extends another file, as its own place has it, and so on to the library", () => {
    const { faults, load, name, payments } = play(at("friday.json"))
    expect({ name, payments }).toEqual({ name: "friday", payments: 6 })
    expect(faults.set).toMatchObject({ callback_lost: 0.1, client_parallel: 0.3 })
    expect(load).toEqual(play("flash_sale").load)
  })

  test("has its variables set by name", () => {
    const { faults, payments } = play(at("friday.json"), { set: ["count=9", "lost=0.5"] })
    expect(payments).toBe(9)
    expect(faults.set).toMatchObject({ callback_lost: 0.5 })
  })

  test("may begin with a byte order mark", () => {
    expect(play(at("marked.json"))).toMatchObject({ name: "marked", payments: 4 })
  })

  test.each([
    ["another encoding", "wide.yaml", /wide\.yaml cannot be read: it is no text in UTF-8\. Save/],
    ["a circle, with all of it", "a.yaml", /circle: .*a\.yaml → .*b\.yaml → .*a\.yaml/],
    ["a file that is not there", "lost.yaml", /extends \(line 2\): .*nowhere\.yaml cannot be read/],
    [
      "what the other file has wrong, and where",
      "wrong.yaml",
      /one_time \(in .*bad\.yaml, line 3\): /,
    ],
    ["what a list has wrong, by its line", "list.yaml", /payers\.1\.share \(line 7\): /],
    ["a field that nobody knows, by its line", "typo.json", /lod \(line 5\): /],
    [
      "a field that misses, by the line that misses it",
      "list.yaml",
      /payers\.0\.weight \(line 4\): /,
    ],
    [
      "a value of a variable, by the line of its use",
      "used.yaml",
      /one_time \(line 5\): .*\$\{x\}/,
    ],
    ["an empty file", "empty.yaml", /the file \(line 1\): must be an object/],
    ["a file of comments", "comments.yaml", /the file \(line 1\): must be an object/],
    ["another thing than fields", "number.yaml", /the file \(line 2\): /],
    ["an alias of what it is in", "circle.yaml", /load\.gap \(line 5\): it contains itself/],
    ["such an alias elsewhere", "extends.yaml", /circle\.yaml: load\.gap \(line 5\): it contains/],
    [
      "lists in lists in lists",
      "deep.yaml",
      /deep\.yaml cannot be read: .* nested too deep\. Write/,
    ],
    ["lists that another parser reads", "deep.json", /services\.0\.0\.0 \(line 1\): it is nested/],
    [
      "a field that moves the cursor, without moving it",
      "escape.yaml",
      /^[^\p{Cc}]*\n {2}\ufffd\[2J /u,
    ],
  ])("is refused for %s", (_, name, said) => {
    expect(() => play(at(name))).toThrow(said)
  })

  test("is not played with so many payments that it takes years of years", async () => {
    const scenario = at("years.yaml")
    const said = "--intents 11: 11 payments would begin within 11 years, and 10 are the most"
    const { code, stderr } = await runSimulate("--scenario", scenario, "--intents", "11")
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) as string })
  })

  test("of the library has no variables", () => {
    expect(() => play("flash_sale", { set: ["count=3"] })).toThrow('there is no variable "count"')
    expect(() => play(undefined, { set: ["count=3"] })).toThrow('there is no variable "count"')
  })

  test("is played again with what it was set to", () => {
    expect(worldAgain("friday.json", 3, 6, { library: "team", set: ["lost=0.5"] })).toMatch(
      / --scenario friday\.json --library team --set lost=0\.5 --seed 3 --intents 6$/,
    )
  })

  test("has a JSON Schema, which the command prints", async () => {
    const { code, stdout } = await runSimulate("--schema")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ properties: { variables: {} }, required: ["name"] })
  })

  test("has the same schema in the package, as it would be written now", async () => {
    for (const [path, text] of Object.entries(scenarioSchemaFile())) {
      expect(await readFile(join(projectRoot, path), "utf8"), path).toBe(text)
    }
  })

  test("is watched with all that it extends", () => {
    const files = watchedOf("/nowhere", { ...choice, scenario: at("friday.json") })
    expect(files.map(({ file }) => file)).toEqual(["friday.json", "sale.yaml"])
  })
})

describe("a library of scenarios", () => {
  test("is its files, and no folder with such a name", () => {
    expect(listScenarios(at("team")).map(({ name }) => name)).toContain("team_sale")
  })

  test("is known by names to the command, to lists and to what extends one", () => {
    const library = at("team")
    expect(play("team-sale", { library }).payments).toBe(3)
    expect(play(at("uses.yaml"), { library })).toMatchObject({ name: "uses", payments: 3 })
    const names = listScenarios(library).map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(["team_sale", "mixed"])
    expect(() => play("team_sale")).toThrow("Known are mixed")
  })

  test.each([
    ["a built-in name", "same", /one\.yaml:\n {2}name: "Flash-Sale" is the name of a built-in/],
    ["a name twice", "twice", /two\.yaml:\n {2}name: "X" is the name of .*one\.yaml, too/],
    ["no name", "nameless", /one\.yaml:\n {2}name: it is missing/],
    ["no folder", "nowhere", /--library cannot be read: ENOENT/],
  ])("is refused for %s", (_, name, said) => {
    expect(() => play("mixed", { library: at(name) })).toThrow(said)
  })

  test.each([
    ["a file without a name", "nameless", ["one.yaml"]],
    ["two files of one name", "twice", ["one.yaml", "two.yaml"]],
    ["no folder", "nowhere", []],
  ])("is watched until its mistake is mended: %s", (_, name, files) => {
    const watched = watchedOf("/nowhere", { ...choice, scenario: "x", library: at(name) })
    expect(watched.map(({ file }) => file)).toEqual(files)
  })

  test("is asked for by an option, and variables by one that may be given again", () => {
    const args = ["--library", "team", "--set", "a=1,b=2", "--set", "c=3"]
    expect(readOptions(args)).toMatchObject({ library: "team", set: ["a=1", "b=2", "c=3"] })
  })

  test("has texts with commas set", () => {
    const args = ["--set", "who=you, me, or both,a=1", "--set", "b=x,y"]
    expect(readOptions(args)).toMatchObject({ set: ["who=you, me, or both", "a=1", "b=x,y"] })
    expect(play(at("told.yaml"), { set: ["who=you, me"] }).about).toBe("you, me")
  })
})
