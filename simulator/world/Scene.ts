import type { Effect } from "effect"
import type { Network } from "../channels/Network.ts"
import type { Client } from "./Client.ts"
import type { Population } from "./Population.ts"
import type { Services } from "./Services.ts"
import type { Stage } from "./Stage.ts"

/** What the people of a world act with. */
export interface Scene {
  readonly stage: Stage
  readonly network: Network
  readonly client: Client
  readonly people: Population
  /** What is done long after everything else has come to rest. */
  readonly later: Array<Effect.Effect<void, never, Services>>
}
