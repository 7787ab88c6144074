import { expect, test } from "vitest"
import { memory } from "../../../apps/payport/memory.ts"
import { storeContracts, testContracts } from "../../../apps/payport/testing.ts"

type Contracts = Parameters<typeof testContracts>[0]

/** Passes contracts to a runner that records its tests, and runs them. */
const noted = (contracts: Contracts) => {
  const groups: Array<string> = []
  const tests: Array<{ readonly name: string; readonly run: () => Promise<void> }> = []
  const checks: Array<() => void> = []
  testContracts(contracts, {
    describe: (name, define) => {
      groups.push(name)
      define()
    },
    test: (name, run) => tests.push({ name: `${groups.at(-1)} > ${name}`, run }),
    after: (check) => checks.push(check),
  })
  return { groups, tests, end: () => checks.forEach((check) => check()) }
}

/** A contract of two checks over a port of two methods. */
const aContract = (): Contracts[string] => {
  const methods = { lease: 0, purge: 0 }
  const tries = (method: keyof typeof methods) => async () => void (methods[method] += 1)
  return {
    checks: [
      { group: "", name: "leases", run: tries("lease") },
      { group: "upkeep > old", name: "goes", run: tries("purge") },
    ],
    coverage: () => ({ methods }),
  }
}

test("every check is a test, in the group of its contract", async () => {
  const { end, groups, tests } = noted({ leases: aContract() })
  expect(groups).toStrictEqual(["leases", "leases > upkeep > old"])
  expect(tests.map(({ name }) => name)).toStrictEqual([
    "leases > leases",
    "leases > upkeep > old > goes",
  ])
  for (const { run } of tests) await run()
  expect(end).not.toThrow()
})

test("what no check has called fails the run, with its name", async () => {
  const { end, tests } = noted({ leases: aContract() })
  await tests[0]?.run()
  expect(end).toThrow("leases: no check has tried purge.")
})

test("a store is held to the contracts of all that it provides", async () => {
  const { groups, tests } = noted(storeContracts(memory()))
  const names = new Set(groups.map((group) => group.split(" > ")[0]))
  expect(names).toStrictEqual(new Set(["store", "documents", "leases"]))
  expect(tests.length).toBeGreaterThan(100)
  const [first] = tests
  await first?.run()
})
