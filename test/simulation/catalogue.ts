import { mixed } from "../../simulator/scenarios/library.ts"
import { simulate } from "../../simulator/simulate.ts"
import { accessFlaws } from "./accessFlaws.ts"
import { billingFlaws } from "./billingFlaws.ts"
import { challengeFlaws } from "./challengeFlaws.ts"
import { channelFlaws } from "./channelFlaws.ts"
import { clockFlaws } from "./clockFlaws.ts"
import { deliveryFlaws } from "./deliveryFlaws.ts"
import type { Flaw } from "./flaw.ts"
import { identityFlaws } from "./identityFlaws.ts"
import { keyFlaws } from "./keyFlaws.ts"
import { installFlaws } from "./installFlaws.ts"
import { marketFlaws } from "./marketFlaws.ts"
import { ownershipFlaws } from "./ownershipFlaws.ts"
import { rateFlaws } from "./rateFlaws.ts"
import { refundFlaws } from "./refundFlaws.ts"
import { registryFlaws } from "./registryFlaws.ts"
import { statementFlaws } from "./statementFlaws.ts"
import { storeFlaws } from "./storeFlaws.ts"

/** Every flaw, each of which breaks one rule. */
export const FLAWS: ReadonlyArray<Flaw> = [
  ...storeFlaws,
  ...channelFlaws,
  ...refundFlaws,
  ...accessFlaws,
  ...deliveryFlaws,
  ...statementFlaws,
  ...identityFlaws,
  ...keyFlaws,
  ...installFlaws,
  ...marketFlaws,
  ...billingFlaws,
  ...clockFlaws,
  ...registryFlaws,
  ...challengeFlaws,
  ...rateFlaws,
  ...ownershipFlaws,
]

const INTENTS = 40

/** When a flaw was noticed, and by which of the invariants that are about it. */
export interface Noticed {
  /** The first seed, counted from 1; undefined where none noticed it. */
  readonly seed: number | undefined
  readonly numbers: ReadonlyArray<number>
}

/** Runs worlds with a flaw, one seed after the other, until it is noticed. */
export const notice = (flaw: Flaw, seeds: number): Noticed => {
  const { alterations, faults = {}, noticed_by, scenario = mixed } = flaw
  for (let seed = 1; seed <= seeds; seed += 1) {
    const played = { seed, scenario, intents: INTENTS, faults }
    const world = { ...played, alterations, stop_at: noticed_by }
    const numbers = simulate(world)
      .invariants.filter(({ violations }) => violations > 0)
      .map(({ number }) => number)
      .filter((number) => noticed_by.includes(number))
    if (numbers.length > 0) return { seed, numbers }
  }
  return { seed: undefined, numbers: [] }
}

/** A row of the README's table. */
const rowOf = ({ name }: Flaw, { numbers, seed }: Noticed): string =>
  `| ${name} | ${numbers.join(", ")} | ${seed ?? "never"} |`

/** So many seeds are tried by hand. */
const BY_HAND = 1_000

// `node test/simulation/catalogue.ts` prints the table.
if (process.argv[1] === import.meta.filename) {
  for (const flaw of FLAWS) process.stdout.write(`${rowOf(flaw, notice(flaw, BY_HAND))}\n`)
}
