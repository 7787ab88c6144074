import { run, type RunOptions, type Scratch } from "./Scratch.ts"

/** The runners that the contracts of `payport/testing` are plain data for, beside node:test. */
const INSTALLED = ["jest@30.5.2", "vitest@5.1.1"]

/** The adapters that are tested: the memory store, or one without a method of one port. */
const ADAPTERS = `import { Effect, Layer } from "effect"
import { memory } from "payport/memory"
import { RateLeases } from "payport/ports"
import { documentsContract, rateLeasesContract, storeContract } from "payport/testing"

const open = () => memory().open(undefined)
const without = () =>
  Layer.effect(RateLeases, Effect.map(RateLeases, ({ purge }) => ({ purge }))).pipe(
    Layer.provide(open()),
  )

export const contracts =
  process.env.LACKS_A_METHOD === "yes"
    ? { leases: rateLeasesContract({ open: without }) }
    : {
        store: storeContract({ open }),
        documents: documentsContract({ open }),
        leases: rateLeasesContract({ open }),
      }
`

/** The test file for Vitest, and for Jest with its globals. */
const WITH_GLOBALS = `import { testContracts } from "payport/testing"
import { contracts } from "./adapters.js"

testContracts(contracts, { describe, test, after: afterAll })
`

const NODE_TEST = `import { after, describe, test } from "node:test"
import { testContracts } from "payport/testing"
import { contracts } from "./adapters.js"

testContracts(contracts, { describe, test, after })
`

const MANIFEST = {
  name: "runners",
  private: true,
  type: "module",
  jest: { transform: {}, testMatch: ["**/globals.test.js"], testTimeout: 60_000 },
}

/** The command of each runner. */
const COMMANDS: { readonly [runner: string]: ReadonlyArray<string> } = {
  Jest: ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js"],
  Vitest: [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--globals",
    "--testTimeout=60000",
    "globals.test.js",
  ],
  "node:test": ["--test", "node.test.js"],
}

/** Their names. */
export const RUNNERS: ReadonlyArray<string> = Object.keys(COMMANDS)

const ends = (args: ReadonlyArray<string>, options: RunOptions): Promise<string | undefined> =>
  run("node", args, options).then(
    () => undefined,
    (error: unknown) => String(error),
  )

/**
 * Runs contracts of the packed library by each of the runners, which are installed beside it: they
 * pass for our adapter, and each runner fails for one that lacks a method. Returns what was
 * otherwise.
 */
export const tryRunners = async (
  scratch: Scratch,
  tarball: string,
): Promise<ReadonlyArray<string>> => {
  const flaws: Array<string> = []
  await scratch.write({
    "package.json": JSON.stringify(MANIFEST),
    "adapters.js": ADAPTERS,
    "globals.test.js": WITH_GLOBALS,
    "node.test.js": NODE_TEST,
  })
  await scratch.install(tarball, "effect@4.1.0", "fast-check@4.10.2", ...INSTALLED)
  for (const [runner, args] of Object.entries(COMMANDS)) {
    const cwd = scratch.folder
    const sound = await ends(args, { cwd })
    if (sound !== undefined) flaws.push(`${runner} fails for our own adapter: ${sound}`)
    const lacking = await ends(args, { cwd, env: { LACKS_A_METHOD: "yes" } })
    if (lacking === undefined) flaws.push(`${runner} passes an adapter that lacks a method.`)
    else if (!/lease/.test(lacking)) flaws.push(`${runner} fails for another reason: ${lacking}`)
  }
  return flaws
}
