import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { MUTATED, type MutatedFile } from "./judgeByTests.ts"

const root = resolve(import.meta.dirname, "../..")

const mutated = process.env[MUTATED]

/** The mutated files of the core, with one active mutant; none by default. */
const files =
  mutated === undefined
    ? []
    : (JSON.parse(readFileSync(mutated, "utf8")) as ReadonlyArray<MutatedFile>)
const sources = new Map(files.map(({ file, source }) => [resolve(root, file), source]))

export default defineConfig({
  plugins: [
    { name: "mutated core", enforce: "pre", load: (id) => sources.get(id.split("?", 1).join("")) },
  ],
  test: {
    root,
    globalSetup: ["test/support/globalSetup.ts"],
    include: ["test/core/**/*.test.ts", "test/http/**/*.test.ts"],
    pool: "forks",
    // Files share a process, as in the whole run. Modules loaded for another mutant are not kept.
    isolate: false,
    fsModuleCache: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
})
