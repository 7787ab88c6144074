import { Layer } from "effect"
import * as wallClock from "../../../adapters/webhooks/wallClock.ts"
import type { StoreLayer } from "../PayportOptions.ts"
import { type Contract, type Tried, untried } from "./Contract.ts"
import { documentsContract } from "./documentsContract.ts"
import { rateLeasesContract } from "./rateLeasesContract.ts"
import { storeContract } from "./storeContract.ts"

/** The functions of a test runner: node:test and Vitest export them, Jest has them as globals. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown
  readonly test: (name: string, run: () => Promise<void>) => unknown
  /**
   * Calls a function when all tests have run: `after` of node:test, `afterAll` of others. If given,
   * the run fails if no check has called a method.
   */
  readonly after?: (check: () => void) => unknown
}

interface Named {
  readonly [name: string]: Contract<{ readonly [part: string]: Tried }>
}

/** A store as an option of `makePayport`: from `storeIn`, or a `StoreOption` of the host's. */
export interface OptionUnderTest {
  readonly open: (hook: undefined) => StoreLayer
}

/**
 * All contracts for a store: those of the three ports that it provides. The store is opened anew
 * for each check, and has to be empty then.
 */
export const storeContracts = (store: OptionUnderTest) => {
  const under = { open: () => Layer.provide(store.open(undefined), wallClock.layer) }
  return {
    store: storeContract(under),
    documents: documentsContract(under),
    leases: rateLeasesContract(under),
  }
}

/** Returns the parts of a contract that no check has tested. */
const leftOut = (contract: Named[string]): ReadonlyArray<string> =>
  Object.values(contract.coverage()).flatMap((tried) => untried(tried))

/** Registers the checks of contracts with a test runner: a test for each check, by name. */
export const testContracts = (contracts: Named, { after, describe, test }: TestRunner): void => {
  for (const [name, contract] of Object.entries(contracts)) {
    for (const [group, checks] of Map.groupBy(contract.checks, (check) => check.group)) {
      describe(group === "" ? name : `${name} > ${group}`, () => {
        for (const check of checks) test(check.name, check.run)
      })
    }
  }
  after?.(() => {
    for (const [name, contract] of Object.entries(contracts)) {
      const left = leftOut(contract)
      if (left.length > 0) throw new Error(`${name}: no check has tried ${left.join(", ")}.`)
    }
  })
}
