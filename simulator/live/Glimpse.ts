import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Tally } from "../auditor/Auditor.ts"
import { inMajor } from "../report/Latencies.ts"
import type { World } from "../world/World.ts"

/** What stays the same of a payment, save the channel, which is known once the payer chose it. */
export interface PaymentFacts {
  readonly flow: PaymentIntent["flow"]
  /** In the currency's own units, such as `6.99 USD`. */
  readonly amount: string
  /** The name of what is paid for. */
  readonly service: string
  readonly channel: string | null
}

/** What can be looked at while a world runs, by whoever hears of its steps. */
export interface Glimpse {
  readonly now: () => Timestamp
  readonly tallies: () => ReadonlyArray<Tally>
  /** What the auditor knows of a payment; it hears of one a moment after its first step. */
  readonly payment: (id: string) => PaymentFacts | undefined
}

/** A world as those who watch it see it. */
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
