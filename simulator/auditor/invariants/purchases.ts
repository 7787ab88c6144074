import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { STORE_LATENCY_LIMIT } from "../../world/ports/slowStore.ts"
import { PAUSE } from "../../world/processes/Process.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { knowledge } from "../Knowledge.ts"

/** A purchase through a tool. */
interface Bought {
  readonly id: string
  /** When the process decided about it. */
  readonly decided: Timestamp
  /** The named person; null if nobody was named. */
  readonly person: string | null
  /** Whether it was bought in addition to an equal purchase, for another person. */
  readonly beside: boolean
}

/** The purchases of agents through tools, by agent, service and amount. */
class Purchases {
  /** The services that are only paid through tools. */
  readonly services = new Set<string>()
  /** The purchases that are unique by a key, and not only within a minute. */
  readonly keyed = new Set<string>()
  readonly #made = new Map<string, Array<Bought>>()

  made(purchase: string): ReadonlyArray<Bought> {
    return this.#made.get(purchase) ?? []
  }

  make(purchase: string, bought: Bought): void {
    this.#made.set(purchase, [...this.made(purchase), bought])
  }
}

/** Returns what two calls for the same purchase have in common: `what` is an amount or a plan. */
export const purchaseOf = (service: string, agent: string | null, what: number | string): string =>
  `${what} of ${service} for ${agent}`

/** The auditor's knowledge about purchases. Its rules update it, since no write alone does. */
export const purchases = knowledge("purchases", Purchases)

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to an agent that has bought something through a tool. */
    readonly bought: { readonly purchase: string; readonly id: string }
  }
}

/**
 * Whether an earlier purchase may answer a call with or without a named person. A call without a
 * person means the first of several purchases, within the minute.
 */
const mayBeOne = (before: Bought, person: string | null): boolean =>
  person === null ? !before.beside : before.person === null || before.person === person

/** A failed purchase was refused: it has no effect, and its call may be repeated. */
const stands = ({ id }: Bought, model: Model): boolean =>
  model.intents.get(id)?.record.status !== "failed"

const again = (purchase: string, bought: Omit<Bought, "beside">, model: Model): Finding => {
  const known = model.know(purchases)
  const made = known.made(purchase)
  const within = (time: number) => made.filter(({ decided }) => bought.decided - decided < time)
  const unsure = STORE_LATENCY_LIMIT + 2 * model.clocksOff
  // A purchase that failed is the first of its minute all the same.
  // A call may have read what was bought before its process stood still.
  const beside = within(MINUTE + unsure + PAUSE.longest).length > 0
  known.make(purchase, { ...bought, beside })
  if (known.keyed.has(purchase)) {
    const [before] = made.filter((one) => stands(one, model))
    return before && `was bought under the same idempotency_key as ${before.id}`
  }
  const recent = within(MINUTE - unsure).filter((one) => stands(one, model))
  const same = recent.find((one) => mayBeOne(one, bought.person))
  if (same === undefined) return undefined
  const after = (bought.decided - same.decided) / SECOND
  return `is the purchase of ${same.id} once more, ${after} s after it`
}

/** Checks that a purchase is made once, for services that are only paid through tools. */
const boughtOnce: Rule<"write"> = ({ at, held_up, write }, model) => {
  if (write.op !== "insert") return undefined
  const { services } = model.know(purchases)
  if (write.kind === "payment_intent") {
    const { amount, id, invoice, payer, service_id } = write.record
    if (invoice !== null || !services.has(service_id)) return undefined
    const purchase = purchaseOf(service_id, payer.agent_id, amount.value)
    return again(purchase, { id, decided: at - held_up, person: payer.human_id }, model)
  }
  if (write.kind !== "subscription" || !services.has(write.record.service_id)) return undefined
  const { id, payer, plan_id, service_id } = write.record
  const purchase = purchaseOf(service_id, payer.agent_id, plan_id)
  return again(purchase, { id, decided: at - held_up, person: payer.human_id }, model)
}

const answeredForIt: Rule<"bought"> = ({ id, purchase }, model) => {
  const made = model.know(purchases).made(purchase)
  return made.some((one) => one.id === id) ? undefined : `was the answer to another's ${purchase}`
}

/** The rules about purchases through tools. */
export const purchaseRules: Rulebook = {
  86: { write: boughtOnce, bought: answeredForIt },
}
