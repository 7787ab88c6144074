import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "../support/ClosingLine.ts"

/** Three files at a time, on one database. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, "../.."),
    pool: "forks",
    maxWorkers: 3,
    include: ["test/databases/*.contract.ts"],
    exclude: process.env["PAYPORT_TEST_WORLDS"] === "0" ? ["**/*orlds.contract.ts"] : [],
    globalSetup: ["test/support/globalSetup.ts"],
    reporters: ["default", new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
