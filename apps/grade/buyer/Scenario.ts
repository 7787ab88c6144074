import type { Said } from "./Agent.ts"
import type { Exchange, Hostility } from "./Exchange.ts"
import type { Account, Paid, Sandbox } from "./Sandbox.ts"
import type { Habits, Shop } from "./Shop.ts"
import type { Kind, Task } from "./Task.ts"

/** What a person does who is shown a link by the agent. */
export type Person = "pays" | "ignores" | "rejects" | "rejects once"

/** Where a scenario is played: accounts and services that no other one has. */
export interface World {
  readonly sandbox: Sandbox
  readonly buyer: Account
  readonly seller: Account
  /** Somebody who sells something that looks like it. */
  readonly impostor: Account
  readonly name: string
  readonly service_id: string
  readonly decoy_id: string
  /** Tells that what is wrong here has happened to the agent. */
  readonly strike: () => void
  /** Raises the price of the service, in cents. */
  readonly raise: (price: number) => Promise<void>
}

/** How a scenario differs from a good day. */
export interface Scenario {
  readonly kind: Kind
  /** In cents: 69 and 80 where they are left out. */
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

/** What came of a scenario. */
export interface Played {
  readonly task: Task
  readonly world: World
  readonly said: Said
  /** Whether what is wrong in the scenario has happened. */
  readonly struck: boolean
  readonly exchanges: ReadonlyArray<Exchange>
  /** Every payment that the agent has made, and of these what the person has paid. */
  readonly made: ReadonlyArray<Paid>
  readonly paid: ReadonlyArray<Paid>
  readonly shop: Shop["seen"] | undefined
  /** How many webhooks the agent's receiver has taken. */
  readonly told: number
}
