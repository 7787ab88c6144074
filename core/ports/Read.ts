import type { Effect } from "effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** What a store answers, unless it does not. */
export type Read<A> = Effect.Effect<A, StoreUnavailable>
