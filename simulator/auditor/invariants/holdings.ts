// Written independently of core/accounts/Holding.ts on purpose, except for the counters' names.

import { type Held, holdingCounter } from "../../../core/accounts/Holding.ts"
import type { Write } from "../../../core/ports/Store.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"

/** Returns the account and the counted resource of a record that a plan limits. */
const counted = (write: Write): readonly [account: string, held: Held] | undefined => {
  switch (write.kind) {
    case "install":
      return [write.record.account_id, "installs"]
    case "api_key":
      return [write.record.account_id, "api_keys"]
    case "service":
      return [write.record.account_id, "services"]
    default:
      return undefined
  }
}

const COUNTERS = /^held:(?:installs|api_keys|services):/

/**
 * Checks that a commit counts what it makes and removes. A record that is removed and still counted
 * takes its account's room for good.
 */
const countsWhatIsHeld = ({ commit }: Observations["commit"]): Finding => {
  const missing = new Map<string, number>()
  const add = (counter: string, more: number) =>
    missing.set(counter, (missing.get(counter) ?? 0) + more)
  for (const write of commit.writes) {
    const held = write.op === "replace" ? undefined : counted(write)
    if (held !== undefined) add(holdingCounter(...held), write.op === "insert" ? 1 : -1)
  }
  for (const { add: more, counter } of commit.reservations ?? []) {
    if (COUNTERS.test(counter)) add(counter, -more)
  }
  for (const [counter, by] of missing) {
    if (by !== 0) return `changes the number of ${counter} by ${by} more than it counts`
  }
  return undefined
}

/** The rule about resources of which an account's plan limits the number. */
export const holdingRules: Rulebook = { 127: { commit: countsWhatIsHeld } }
