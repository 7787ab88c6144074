import { Context } from "effect"

/**
 * The state of a replica. Only a `used` one answers reads.
 *
 * - `used`: its data are as recent as required;
 * - `lagging`: it is further behind than allowed, or no longer follows the primary;
 * - `away`: it does not answer, or refuses;
 * - `promoted`: it follows no other server;
 * - `other_database`: it is no copy of the primary's database.
 */
export const REPLICA_STATES = ["used", "lagging", "away", "promoted", "other_database"] as const
/** One of {@link REPLICA_STATES}. */
export type ReplicaState = (typeof REPLICA_STATES)[number]

/** The states of the store's replicas, in the order of the settings. Most stores have none. */
export const ReplicaStates = Context.Reference<() => ReadonlyArray<ReplicaState>>(
  "payport/adapters/shared/ReplicaStates",
  { defaultValue: () => () => [] },
)
