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
 * Finds the mandate and the channel that can pay a payment without asking its person; undefined
 * when the person has to be asked.
 */
export const findDebit = Effect.fnUntraced(function* (
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
  const health = yield* (yield* Channels).health(allowed.channel.id)
  const mandate = yield* (yield* Store).find("mandate", allowed.mandate)
  return takesDebits(health) && mandate?.status === "active"
    ? { channel: allowed.channel, mandate }
    : undefined
})
