import { HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { makeChance } from "../random/Chance.ts"
import { channelFaults, statementFaults } from "./channelFaults.ts"
import { clockFaults, linkFaults, marketFaults, processFaults } from "./serviceFaults.ts"
import type { FaultInfo } from "./Fault.ts"
import { identityFaults, partyFaults, receiverFaults } from "./partyFaults.ts"

/** Everything that can go wrong. A part adds its own faults in a file beside these. */
export const FAULTS = {
  ...channelFaults,
  ...partyFaults,
  ...receiverFaults,
  ...marketFaults,
  ...processFaults,
  ...clockFaults,
  ...linkFaults,
  ...statementFaults,
  ...identityFaults,
} as const

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS

/** How a world misbehaves, in the units of the table. Zero switches a fault off. */
export type Faults = { readonly [F in FaultName]: number }

const named = Object.entries(FAULTS) as ReadonlyArray<readonly [FaultName, FaultInfo]>

const faultsBy = (size: (fault: FaultName, info: FaultInfo) => number): Faults =>
  Object.fromEntries(named.map(([fault, info]) => [fault, size(fault, info)])) as Faults

/** A world in which nothing goes wrong. */
export const NO_FAULTS: Faults = faultsBy(() => 0)

/** How bad each fault may get; all at once, it is the worst of worlds. */
export const WORST: Faults = faultsBy((_, { worst }) => worst)

/** The longest that a channel is gone. */
export const OUTAGE = { shortest: MINUTE, longest: 6 * HOUR } as const

/** Later than this no copy and no delayed callback comes. */
export const TAIL = 25 * HOUR

/** How long a channel's answer takes at the most, before its caller gives up on it. */
export const CALL_TIMEOUT = 10 * SECOND

/**
 * The faults of a seed: about two in three are on, each up to its worst. Each is drawn from a
 * stream of its own, so that a new fault changes nothing of the others.
 */
export const drawFaults = (seed: number): Faults =>
  faultsBy((fault, { share = 2 / 3, worst }) => {
    const chance = makeChance(`${seed} fault ${fault}`)
    return chance.hits(share) ? worst * chance.next() : 0
  })
