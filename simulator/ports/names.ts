import type { Chance } from "../random/Chance.ts"

/** Where a receiver is, of the addresses that are kept for documents and tests. */
const OWN = "203.0.113.7"

const PRIVATE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"] as const

/** How a name server answers. */
export type Naming = "name_unknown" | "name_unanswered" | "name_rebound" | "name_mixed" | "well"

/** The addresses that a name leads to; none where there is no answer. */
export const addressesOf = (chance: Chance, naming: Naming): ReadonlyArray<string> => {
  if (naming === "well") return [OWN]
  if (naming === "name_rebound") return [chance.pick(PRIVATE)]
  if (naming !== "name_mixed") return []
  const inside = chance.pick(PRIVATE)
  return chance.hits(0.5) ? [OWN, inside] : [inside, OWN]
}

/** Whether an address is one of a network's own, where no webhook has any business. */
export const isInside = (address: string): boolean => address !== OWN
