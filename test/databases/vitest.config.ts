import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "../support/ClosingLine.ts"
import { WorldByWorld } from "./WorldByWorld.ts"
import { readWorlds } from "./Worlds.ts"

const { first, last } = readWorlds(process.env["PAYPORT_TEST_WORLDS"] ?? "1..3")

/** Three files at a time, on one database. */
export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, "../.."),
    pool: "forks",
    maxWorkers: 3,
    include: ["test/databases/*.contract.ts"],
    exclude: last < first ? ["**/*orlds.contract.ts"] : [],
    globalSetup: ["test/support/globalSetup.ts"],
    reporters: ["default", new WorldByWorld(), new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
