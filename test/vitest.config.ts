import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"
import { ClosingLine } from "./support/ClosingLine.ts"

/** Files start in the order of their paths, so that two runs can be compared line by line. */
class ByPath extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
  }
}

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    reporters: ["default", new ClosingLine()],
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: ByPath },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
})
