import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./support/ClosingLine.ts"
import { LongestFirst } from "./support/LongestFirst.ts"

/**
 * Files that share a process, since loading the service is most of a file's cost. Files that
 * measure or end their process, or start others, run alone.
 */
const SHARING = [
  "test/core/**/*.test.ts",
  "test/http/**/*.test.ts",
  "test/adapters/{channels,clock,fx,identity,language,memory,pages}/**/*.test.ts",
  // resumedSnapshot replaces a module of Node, which would also affect the files after it.
  "test/adapters/crypto/!(resumedSnapshot).test.ts",
  "test/adapters/{mcp,oauth,receiver,revokers,webhooks}/**/*.test.ts",
  "test/adapters/{http,shared}/**/!(metrics).test.ts",
  // The excluded files start their own servers, or count sessions.
  "test/adapters/postgres/!(pgbouncer|plans|pooler).test.ts",
  "test/adapters/postgres/replicas/!(replicas).test.ts",
  "test/apps/payport/**/*.test.ts",
  "test/apps/grade/*/*.test.ts",
  "test/apps/simulate/{blackbox,page,serviceTime}.test.ts",
  // A process is slow at its first worlds, since it has to compile them.
  "test/simulation/!(package|volume).test.ts",
]

/**
 * One for each of two cores, and one more: the worlds of `simulation/volume.test.ts` use only what
 * the others leave, and the others often wait.
 */
const WORKERS = 3

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
      {
        test: {
          ...common,
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [...SHARING, PAGES],
        },
      },
      { test: { ...common, name: "together", include: SHARING, isolate: false } },
    ],
  },
})
