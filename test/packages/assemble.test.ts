import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { entriesOf, flawsOf, readManifest } from "../../apps/packages/Manifest.ts"
import { packageOf, reach, specifiersOf } from "../../apps/packages/reach.ts"
import { projectRoot } from "../support/sourceFiles.ts"

const manifest = { name: "own", version: "0.1.0", dependencies: { koa: "3.3.0" } }

describe("what a compiled file imports", () => {
  test.each<[string, string, ReadonlyArray<string>]>([
    ["names", 'import { a } from "./a.js"', ["./a.js"]],
    ["names over lines", 'export {\n  a,\n} from "b"', ["b"]],
    ["nothing but effects", 'import "b"', ["b"]],
    ["later", 'const b = () => import("b")', ["b"]],
    ["a type", 'export declare const b: import("b").B', ["b"]],
    ["types of another", '/// <reference types="node" />', ["node"]],
    ["a file of a package", 'import.meta.resolve("b/c.wasm")', ["b/c.wasm"]],
    ["nothing in a comment", '/** `import { a } from "a"` */\n// import "b"', []],
  ])("%s", (_, text, expected) => {
    expect(specifiersOf(text)).toEqual(expected)
  })

  test.each([
    ["koa", "koa"],
    ["effect/http", "effect"],
    ["@x402/core/types", "@x402/core"],
  ])("%s is of the package %s", (specifier, name) => {
    expect(packageOf(specifier)).toBe(name)
  })
})

describe("what a package declares", () => {
  test.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["is what it needs", ["koa"], []],
    ["lacks one", ["koa", "yaml"], ["own imports yaml, which its package.json does not declare."]],
    ["has one too many", [], ["own declares koa, which none of its files imports."]],
    [
      "has native code",
      ["koa", "sharp"],
      [
        "own imports sharp, which its package.json does not declare.",
        "own reaches native code: sharp.",
      ],
    ],
  ])("%s", (_, needed, flaws) => {
    expect(flawsOf(manifest, new Set(needed), false)).toEqual(flaws)
  })
})

describe("the packages", () => {
  beforeAll(() => promisify(execFile)("tsc", ["-b", "apps"], { cwd: projectRoot }), 240_000)

  test.each(["apps/payport", "apps/sdk", "apps/server"])(
    "%s declares what its files import",
    async (folder) => {
      const own = await readManifest(join(projectRoot, folder))
      const code = entriesOf(own)
      const entries = [...code, ...code.map((file) => file.replace(/\.js$/, ".d.ts"))]
      const { packages } = await reach(join(projectRoot, "dist"), entries)
      expect(flawsOf(own, packages, own.bin !== undefined)).toEqual([])
    },
  )
})
