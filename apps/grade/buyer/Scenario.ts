import type { Said } from "./Agent.ts"
import type { Exchange, Hostility } from "./Exchange.ts"
import type { Account, Paid, Sandbox } from "./Sandbox.ts"
import type { Habits, Shop } from "./Shop.ts"
import type { Kind, Task } from "./Task.ts"

/** The reaction of a person who gets a link from the agent. */
export type Person = "pays" | "ignores" | "rejects" | "rejects once"

/** The accounts and services of a scenario, which no other scenario uses. */
export interface World {
  readonly sandbox: Sandbox
  readonly buyer: Account
  readonly seller: Account
  /** A seller with a similar service. */
  readonly impostor: Account
  readonly name: string
  readonly service_id: string
  readonly decoy_id: string
  /** Records that the fault of the scenario has reached the agent. */
  readonly strike: () => void
  /** Raises the price of the service, in cents. */
  readonly raise: (price: number) => Promise<void>
}

/** The differences of a scenario from the normal case. */
export interface Scenario {
  readonly kind: Kind
  /** In cents: 69 and 80 by default. */
  readonly price?: number
  readonly budget?: number
  readonly description?: (decoy_id: string) => string
  /** Whether the agent has to find the service by its name. */
  readonly finds?: boolean
  readonly person?: Person
  readonly hostility?: (world: World) => Hostility
  readonly shop?: (world: World) => Habits
  readonly receives?: boolean
}

/** The outcome of a scenario. */
export interface Played {
  readonly task: Task
  readonly world: World
  readonly said: Said
  /** Whether the fault of the scenario has happened. */
  readonly struck: boolean
  readonly exchanges: ReadonlyArray<Exchange>
  /** Every payment of the agent, and those that the shop has begun; then those that are paid. */
  readonly made: ReadonlyArray<Paid>
  readonly paid: ReadonlyArray<Paid>
  readonly shop: Shop["seen"] | undefined
  /** How many webhooks the agent's receiver has accepted. */
  readonly told: number
}
