import type { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Callbacks } from "../channels/Callbacks.ts"
import type { Network } from "../channels/Network.ts"
import type { Post } from "../ports/post.ts"
import type { Client } from "./people/Client.ts"
import type { Population } from "./people/Population.ts"
import type { Script } from "./plans/Script.ts"
import type { Services } from "./Services.ts"
import type { Stage } from "./Stage.ts"

/** What the people of a world act with. */
export interface Scene {
  /** All that decides the run. */
  readonly script: Script
  readonly stage: Stage
  readonly network: Network
  readonly client: Client
  /** Where codes arrive. */
  readonly post: Post
  readonly people: Population
  readonly callbacks: Callbacks
  /** What sees everything, for those who show it what rests. */
  readonly auditor: Auditor
  /** The store itself, without anything that slows or changes it. */
  readonly store: Store["Service"]
  /** What is done long after everything else has come to rest. */
  readonly later: Array<Effect.Effect<void, never, Services>>
}
