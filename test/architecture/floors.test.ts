import { describe, expect, test } from "vitest"
import { sourceFiles, sourceText } from "../support/sourceFiles.ts"
import { arrowsOf, cycleIn, effectfulNouns, folderOf, subfolderOf, upwards } from "./coreGraph.ts"

const paths = (await sourceFiles()).filter((path) => /^core\/.*\.ts$/.test(path))
const files = new Map(
  await Promise.all(paths.map(async (path) => [path, await sourceText(path)] as const)),
)
const arrows = arrowsOf(files)

describe("the core", () => {
  test("stands on three floors: nouns import nouns, ports nouns, and verbs both", () => {
    expect(upwards(arrows)).toEqual([])
  })

  test("has nouns that are plain values: none makes an effect", () => {
    expect(effectfulNouns(files)).toEqual([])
  })

  test("has folders without cycles, type imports included", () => {
    expect(cycleIn(arrows, folderOf) ?? "no cycle").toBe("no cycle")
  })

  test("has folders within folders without cycles", () => {
    expect(cycleIn(arrows, subfolderOf) ?? "no cycle").toBe("no cycle")
  })
})

describe("the check", () => {
  const made = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts))
  const importing = (...paths: ReadonlyArray<string>) =>
    paths.map((path) => `import type { It } from "${path}"\n`).join("")

  const cyclic = made({
    "core/a/Noun.ts": importing("../b/Noun.ts", "effect"),
    "core/b/Noun.ts": 'import "../../core/c/verb.ts"\n',
    "core/c/verb.ts": `import {\n  it,\n} from "../d/Noun.ts"\nexport * from "../a/Noun.ts"`,
    "core/c/other.ts": importing("../a/Noun.ts", "../ports/Store.ts"),
    "core/d/Noun.ts": importing("../b/Noun.ts"),
    "core/ports/Store.ts": importing("../a/Noun.ts"),
  })

  test("prints the shortest cycle with the files that make each of its arrows", () => {
    expect(cycleIn(arrowsOf(cyclic), folderOf)).toBe(
      [
        "a → b",
        "  core/a/Noun.ts imports core/b/Noun.ts",
        "b → c",
        "  core/b/Noun.ts imports core/c/verb.ts",
        "c → a",
        "  core/c/verb.ts imports core/a/Noun.ts",
        "  core/c/other.ts imports core/a/Noun.ts",
      ].join("\n"),
    )
  })

  test("finds no cycle where ports alone would close it", () => {
    const open = made({
      "core/a/Noun.ts": importing("./Other.ts", "../b/Noun.ts"),
      "core/b/verb.ts": importing("../ports/Store.ts"),
      "core/ports/Store.ts": importing("../a/Noun.ts"),
    })
    expect(cycleIn(arrowsOf(open), folderOf)).toBeUndefined()
  })

  test("finds cycles between the folders of one folder", () => {
    const inner = made({
      "core/a/one/Noun.ts": importing("../two/Noun.ts"),
      "core/a/two/Noun.ts": importing("../one/Noun.ts"),
    })
    expect(cycleIn(arrowsOf(inner), folderOf)).toBeUndefined()
    expect(cycleIn(arrowsOf(inner), subfolderOf)).toContain("a/one → a/two")
  })

  test("names every import that leads up", () => {
    const floors = made({
      "core/a/Noun.ts": importing("./verb.ts", "../ports/Store.ts", "./Other.ts"),
      "core/a/verb.ts": importing("../ports/Store.ts", "./Noun.ts", "./other.ts"),
      "core/ports/Store.ts": importing("../a/verb.ts", "../a/Noun.ts", "./Ids.ts"),
      "core/ports/reads/Read.ts": importing("../../a/verb.ts"),
    })
    expect(upwards(arrowsOf(floors))).toEqual([
      "noun core/a/Noun.ts imports verb core/a/verb.ts",
      "noun core/a/Noun.ts imports port core/ports/Store.ts",
      "port core/ports/Store.ts imports verb core/a/verb.ts",
      "port core/ports/reads/Read.ts imports verb core/a/verb.ts",
    ])
  })

  test("names nouns that make effects, and allows the defaults of a schema", () => {
    const texts = made({
      "core/a/Noun.ts": "export const it = (): Effect.Effect<number> => 1",
      "core/a/Other.ts": "export const it = Effect.fnUntraced(function* () {})",
      "core/a/Input.ts": "const It = Int.pipe(Schema.withDecodingDefault(Effect.succeed(1)))",
      "core/a/verb.ts": "export const it = Effect.gen(function* () {})",
    })
    expect(effectfulNouns(texts)).toEqual(["core/a/Noun.ts", "core/a/Other.ts"])
  })
})
