import { Effect } from "effect"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { type AutoPayment, debitFor, takesDebits } from "./AutoPay.ts"
import type { Install } from "./Install.ts"

/** A payment that an install may pay, before a channel has been chosen. */
interface Chargeable extends Pick<AutoPayment, "level"> {
  readonly install: Install | undefined
  readonly service: Pick<AutoPayment, "accepted_channels"> & { readonly id: string }
}

/**
 * Finds the mandate and the channel that may pay a payment without asking its person, with the
 * channel's health; undefined when the person has to be asked.
 */
export const allowedDebit = Effect.fnUntraced(function* (
  account_id: string,
  { amount, channel: requested }: Pick<AutoPayment, "amount"> & { readonly channel?: string },
  { install, level, service }: Chargeable,
) {
  if (install === undefined) return undefined
  const { catalog } = yield* Installation
  const { agent_id } = install
  const allowed = debitFor(install, {
    account_id,
    agent_id,
    service_id: service.id,
    amount,
    requested,
    level,
    accepted_channels: service.accepted_channels,
    catalog,
  })
  if (allowed === undefined) return undefined
  const { channel } = allowed
  const health = yield* (yield* Channels).health(channel.id)
  const mandate = yield* (yield* Store).find("mandate", allowed.mandate)
  return mandate?.status === "active" ? { channel, health, mandate } : undefined
})

/** Finds what {@link allowedDebit} finds, where the channel takes debits now. */
export const findDebit = (...about: Parameters<typeof allowedDebit>) =>
  Effect.map(allowedDebit(...about), (debit) =>
    debit !== undefined && takesDebits(debit.health) ? debit : undefined,
  )
