import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { RELEASES } from "../../adapters/postgres/schema/releases.ts"
import { apiReport } from "../../apps/packages/apiReport.ts"
import { brokenPromises, unclearDeprecations } from "../../apps/packages/deprecations.ts"
import { readManifest } from "../../apps/packages/Manifest.ts"
import { temporaryFolder } from "../apps/server/service.ts"
import { projectRoot, sourceFiles, sourceText } from "../support/sourceFiles.ts"

test.each([
  ["/** @deprecated since 0.2.0: use `makePayport`. */", 0],
  [" * @deprecated since 1.10.0: use `intents.follow`, which\n * ends by itself.", 0],
  ["/** @deprecated */", 1],
  ["/** @deprecated since 0.2.0 */", 1],
  [" * @deprecated use `makePayport`.", 1],
  ["  // a comment about @deprecated", 0],
])("of %j", (code, flaws) => {
  expect(unclearDeprecations(code)).toHaveLength(flaws)
})

test("whatever is deprecated says since when, and what to use", async () => {
  const files = (await sourceFiles()).filter((file) =>
    /^(adapters|apps|core|simulator)\//.test(file),
  )
  const code = files.filter((file) => file.endsWith(".ts") || file.endsWith(".tsx"))
  const texts = await Promise.all(code.map(sourceText))
  expect(texts.flatMap(unclearDeprecations)).toEqual([])
})

test("a report keeps of comments what is deprecated, on names and their members", async () => {
  const dist = await temporaryFolder()
  const code = [
    "/** What is new. */\nexport declare const fresh: 1;",
    "/**\n * What was.\n *\n * @deprecated since 0.2.0: use `fresh`,\n * which is shorter.\n */",
    "export interface Stale {\n    /** @deprecated since 0.2.0: use `b`. */",
    "    readonly a: 1;\n}\n//# sourceMappingURL=index.d.ts.map",
  ]
  await writeFile(join(dist, "index.d.ts"), code.join("\n"))
  const exports = { ".": { default: "./dist/index.js" } }
  const report = await apiReport(dist, { name: "some", version: "0.2.0", exports })
  expect(report).toContain(
    "/** @deprecated since 0.2.0: use `fresh`, which is shorter. */\nexport interface Stale {\n" +
      "    /** @deprecated since 0.2.0: use `b`. */\n    readonly a: 1;\n}\n\n" +
      "export declare const fresh: 1;\n```",
  )
  expect(report).not.toMatch(/What (is|was)|sourceMappingURL/)
})

const reportOf = (...names: ReadonlyArray<string>) =>
  `# What payport shows\n\n## payport/http\n\n\`\`\`ts\n${names.join("\n\n")}\n\`\`\`\n`

const OLD = "export declare const old: () => void;"
const MARKED = `/** @deprecated since 0.2.0: use \`other\`. */\n${OLD}`
const OTHER = "export interface Other {\n    readonly old: string;\n}"

describe("a name that goes", () => {
  const at = (version: string, ...names: ReadonlyArray<string>) => ({
    version,
    report: reportOf(...names),
  })
  const unmarked = at("0.1.0", OLD, OTHER)
  const marked = at("0.2.0", MARKED, OTHER)
  const flaw = ["old of payport/http is gone, and was not deprecated for a minor version before."]

  test.each([
    ["stays", [unmarked], at("0.2.0", OLD, OTHER), []],
    ["was marked a minor version before", [unmarked, marked], at("0.3.0", OTHER), []],
    ["was marked a major version before", [unmarked, marked], at("1.0.0", OTHER), []],
    ["was never marked", [unmarked], at("0.2.0", OTHER), flaw],
    ["was marked in a patch alone", [unmarked, marked], at("0.2.1", OTHER), flaw],
    [
      "was marked in what is not released",
      [unmarked, at("0.3.0", MARKED)],
      at("0.3.0", OTHER),
      flaw,
    ],
    ["was never released", [at("0.1.0", OLD)], at("0.1.0", OTHER), []],
  ] as const)("and %s", (_, released, present, flaws) => {
    expect(brokenPromises(released, present)).toEqual(flaws)
  })
})

test.each(["payport", "sdk"])("%s shows what releases have promised", async (name) => {
  const folder = join(projectRoot, "apps", name)
  const report = await readFile(join(folder, "API.md"), "utf8")
  const { version } = await readManifest(folder)
  const left = RELEASES.map((release) => ({
    version: release.version,
    path: join(projectRoot, "test/releases", release.version, `api-${name}.md`),
  })).filter(({ path, version: of }) => of !== version || existsSync(path))
  const released = await Promise.all(
    left.map(async (one) => ({ version: one.version, report: await readFile(one.path, "utf8") })),
  )
  expect(brokenPromises(released, { version, report })).toEqual([])
})
