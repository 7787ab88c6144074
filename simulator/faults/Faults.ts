import { HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { makeChance } from "../random/Chance.ts"
import { channelFaults, statementFaults } from "./channelFaults.ts"
import { clockFaults, linkFaults, marketFaults, processFaults } from "./serviceFaults.ts"
import type { FaultInfo } from "./Fault.ts"
import { identityFaults, partyFaults, receiverFaults } from "./partyFaults.ts"

/** All possible faults. A part of the world adds its own faults in another file of this folder. */
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

/** The faults of a world, in the units of the table. Zero switches a fault off. */
export type Faults = { readonly [F in FaultName]: number }

const named = Object.entries(FAULTS) as ReadonlyArray<readonly [FaultName, FaultInfo]>

const faultsBy = (size: (fault: FaultName, info: FaultInfo) => number): Faults =>
  Object.fromEntries(named.map(([fault, info]) => [fault, size(fault, info)])) as Faults

/** A world without faults. */
export const NO_FAULTS: Faults = faultsBy(() => 0)

/** The worst value of each fault; all at once, they make the worst world. */
export const WORST: Faults = faultsBy((_, { worst }) => worst)

/** The shortest and the longest outage of a channel. */
export const OUTAGE = { shortest: MINUTE, longest: 6 * HOUR } as const

/** The longest delay of a callback or of a copy of it. */
export const TAIL = 25 * HOUR

/** How long a channel's answer takes at most, before its caller gives up. */
export const CALL_TIMEOUT = 10 * SECOND

/**
 * Draws the faults of a seed: about two thirds are on, each up to its worst. Each is drawn from its
 * own stream, so that a new fault does not change the others.
 */
export const drawFaults = (seed: number): Faults =>
  faultsBy((fault, { share = 2 / 3, worst }) => {
    const chance = makeChance(`${seed} fault ${fault}`)
    return chance.hits(share) ? worst * chance.next() : 0
  })
