import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./support/ClosingLine.ts"
import { LongestFirst } from "./support/LongestFirst.ts"

/**
 * Files that share a process with others, since loading the service anew is most of what one of
 * them costs. Those that count what their process has done, end it or start others go alone.
 */
const SHARING = [
  "test/core/**/*.test.ts",
  "test/http/**/*.test.ts",
  "test/adapters/{channels,clock,fx,identity,language,memory,pages}/**/*.test.ts",
  // What it puts in the place of a module of Node would reach the files after it.
  "test/adapters/crypto/!(resumedSnapshot).test.ts",
  "test/adapters/{mcp,oauth,receiver,revokers,webhooks}/**/*.test.ts",
  "test/adapters/{http,shared}/**/!(metrics).test.ts",
  // Those left out start servers of their own, or count sessions.
  "test/adapters/postgres/!(pgbouncer|plans|pooler).test.ts",
  "test/adapters/postgres/replicas/!(replicas).test.ts",
  "test/apps/payport/**/*.test.ts",
  "test/apps/grade/*/*.test.ts",
  "test/apps/simulate/{blackbox,page,serviceTime}.test.ts",
  // A process is slow at its first worlds: most of its time goes into compiling them.
  "test/simulation/!(package|volume).test.ts",
]

/**
 * One for each of two cores, and one more: the worlds of `simulation/volume.test.ts` take only what
 * the others leave, and much of what the others do is waiting.
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
  // A limit is there for what hangs, and not for what is slow on a busy machine.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  // What is waited for comes when this process is given a core: a second is short for that.
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
