import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Tally } from "../auditor/Auditor.ts"
import { inMajor } from "../report/Latencies.ts"
import type { World } from "../world/World.ts"

/** The facts of a payment that do not change, except the channel, which the payer chooses. */
export interface PaymentFacts {
  readonly flow: PaymentIntent["flow"]
  /** In the currency's own units, such as `6.99 USD`. */
  readonly amount: string
  /** The name of the paid service. */
  readonly service: string
  readonly channel: string | null
}

/** A view of a running world, for listeners of its steps. */
export interface Glimpse {
  readonly now: () => Timestamp
  readonly tallies: () => ReadonlyArray<Tally>
  /** Returns what the auditor knows about a payment; it learns of it after its first step. */
  readonly payment: (id: string) => PaymentFacts | undefined
}

/** Makes the view of a world for those who watch it. */
export const glimpseOf = ({ auditor, stage }: World): Glimpse => ({
  now: stage.now,
  tallies: () => auditor.tallies(),
  payment: (id) => {
    const { intents, services } = auditor.model
    const record = intents.get(id)?.record
    if (record === undefined) return undefined
    const { amount, channel, flow, service_id } = record
    const service = services.get(service_id)?.name ?? service_id
    return { flow, amount: inMajor(amount), service, channel }
  },
})
