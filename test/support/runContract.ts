import { describe, it } from "vitest"
import type { ContractCheck } from "../../apps/payport/testing/Contract.ts"

/** Runs the checks of contracts by Vitest. */
export const runContract = (
  name: string,
  ...contracts: ReadonlyArray<{ readonly checks: ReadonlyArray<ContractCheck> }>
): unknown =>
  describe(name, () => {
    const checks = contracts.flatMap((contract) => contract.checks)
    for (const [group, own] of Map.groupBy(checks, (check) => check.group)) {
      const fill = () => own.forEach((check) => it(check.name, check.run))
      if (group === "") fill()
      else describe(group, fill)
    }
  })
