import type { Caller } from "./Caller.ts"
import type { Channels } from "./channels.ts"
import type { People } from "./people.ts"
import type { Stage } from "./Stage.ts"

/** What a payment's story is played with. */
export interface Scene {
  readonly stage: Stage
  readonly caller: Caller
  readonly people: People
  readonly channels: Channels
}
