import { Context } from "effect"

/**
 * What a replica is at the moment; only `used` answers anybody.
 *
 * - `used`: it shows what was there a moment ago;
 * - `lagging`: it is further behind than allowed, or does not follow the primary any more;
 * - `away`: it does not answer, or refuses;
 * - `promoted`: it follows no other server;
 * - `other_database`: it is no copy of the primary's database.
 */
export const REPLICA_STATES = ["used", "lagging", "away", "promoted", "other_database"] as const
/** One of {@link REPLICA_STATES}. */
export type ReplicaState = (typeof REPLICA_STATES)[number]

/** What the replicas of the store are now, in the order of the settings; none for most stores. */
export const ReplicaStates = Context.Reference<() => ReadonlyArray<ReplicaState>>(
  "payport/adapters/shared/ReplicaStates",
  { defaultValue: () => () => [] },
)
