import type { Network } from "../channels/Network.ts"
import type { Client } from "./Client.ts"
import type { Population } from "./Population.ts"
import type { Stage } from "./Stage.ts"

/** What the people of a world act with. */
export interface Scene {
  readonly stage: Stage
  readonly network: Network
  readonly client: Client
  readonly people: Population
}
