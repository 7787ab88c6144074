import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Knowledge } from "./Knowledge.ts"

/** Something that was bought by a tool. */
export interface Bought {
  readonly id: string
  /** When the process decided that it is to be made. */
  readonly decided: Timestamp
  /** The person who was named; null where nobody was. */
  readonly person: string | null
  /** Whether it was bought beside the same, for another person. */
  readonly beside: boolean
}

/** What agents have bought by tools, by who bought what of whom. */
export class Purchases {
  /** The services that only tools pay. */
  readonly services = new Set<string>()
  /** The purchases that have a name of their own, and not a minute. */
  readonly keyed = new Set<string>()
  readonly #made = new Map<string, Array<Bought>>()

  made(purchase: string): ReadonlyArray<Bought> {
    return this.#made.get(purchase) ?? []
  }

  make(purchase: string, bought: Bought): void {
    this.#made.set(purchase, [...this.made(purchase), bought])
  }
}

/** What two calls have in common that buy the same: `what` is an amount or a plan. */
export const purchaseOf = (service: string, agent: string | null, what: number | string): string =>
  `${what} of ${service} for ${agent}`

/** What the auditor keeps in mind of purchases: its rules tell it, since no write alone does. */
export const purchases: Knowledge<Purchases> = {
  name: "purchases",
  make: () => new Purchases(),
  learn: () => undefined,
}
