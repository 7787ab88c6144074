import type { Effect } from "effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A read of the store, which may be unavailable. */
export type Read<A> = Effect.Effect<A, StoreUnavailable>
