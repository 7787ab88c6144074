import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "../support/ClosingLine.ts"

/** Tests in a real browser. A run has one browser, and every test its own profile. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, "../.."),
    pool: "forks",
    // The browser is the other half of two cores.
    maxWorkers: 1,
    isolate: false,
    include: ["test/pages/**/*.test.ts"],
    globalSetup: ["test/pages/support/globalSetup.ts"],
    // A page that a busy machine draws late is asked once more, and named at the end.
    retry: 1,
    reporters: ["default", new ClosingLine()],
    // Axe looks at a dozen views in some tests, and the machine may have other work.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
