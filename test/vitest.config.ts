import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./support/ClosingLine.ts"
import { LongestFirst } from "./support/LongestFirst.ts"

/**
 * Files with a process of their own. All others share those of the workers, since loading the
 * service is most of a file's cost: they must leave nothing behind in the process.
 */
const ALONE = [
  // Replaces a module of Node.
  "test/adapters/crypto/resumedSnapshot.test.ts",
  // Count everything that the process has done.
  "test/adapters/http/koa/metrics.test.ts",
  "test/adapters/shared/metrics.test.ts",
  // Measures the memory of the process.
  "test/adapters/qr/reader.test.ts",
  // Moves the process's folder for temporary files.
  "test/apps/server/fixture.test.ts",
  // Their clients measure how long the service is away, which a full heap would lengthen.
  "test/chaos/chaos.test.ts",
  "test/chaos/longRuns.test.ts",
  // Its threads change the flags of V8 for the whole process.
  "test/simulation/volume.test.ts",
]

/**
 * Twice as many as there are cores: the worlds of `simulation/volume.test.ts` use only what the
 * others leave, and the others often wait.
 */
const WORKERS = 4

/** They need a browser, and are run by themselves: `npm run pages`. */
const PAGES = "test/pages/**"

const root = resolve(import.meta.dirname, "..")

const common = {
  root,
  // An example imports the package, which is not built here, by its name.
  alias: { "payport/ports": resolve(root, "apps/payport/ports.ts") },
  pool: "forks",
  maxWorkers: WORKERS,
  // Time limits stop tests that hang, and allow for a busy machine.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  // A busy machine may take longer than the default second.
  expect: { poll: { timeout: 20_000 } },
  // A test that waits for processes can lose a race with a busy machine: it is run again, and named
  // at the end. A property is not, since its next try draws other values.
  retry: { count: 1, condition: /^(?!Property failed)/ },
  restoreMocks: true,
  unstubEnvs: true,
} as const

export default defineConfig({
  test: {
    ...common,
    globalSetup: ["test/support/globalSetup.ts"],
    reporters: ["default", new ClosingLine()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...common, name: "alone", include: ALONE } },
      {
        test: {
          ...common,
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...ALONE, PAGES],
          isolate: false,
          setupFiles: [resolve(root, "test/support/unstubEnvs.ts")],
        },
      },
    ],
  },
})
