import { Effect } from "effect"
import { uuidv7 } from "uuidv7"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import type { SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { timeOf } from "../../../simulator/blackbox/Seen.ts"
import type { WalletCharge } from "../../../simulator/players/PlayerWorld.ts"
import type { PaymentPlan, PayerPlan } from "../../../simulator/world/plans/Plan.ts"
import type { Scene } from "./playerWorld.ts"
import type { Actor } from "./RunContext.ts"

type Act = PayerPlan["act"]

const ACTIONS: { readonly [A in Act]?: SimulatedAction } = {
  pays: "pay",
  rejects: "reject",
  lacks_funds: "insufficient_balance",
  is_closed_out: "close",
}

/** What a second wallet says of the charge that its payer opened too. */
const STATUSES: { readonly [A in Act]?: TradeStatus } = {
  pays: "AUTHORIZED",
  scans: "SCANNED",
  rejects: "REJECTED",
}

/** A payment's charges: the sandbox has a wallet for the first, the others speak by callbacks. */
export const walletsOf = (
  { client, channels, context }: Scene,
  who: Actor,
  id: string,
): ReadonlyArray<WalletCharge<never>> => {
  const known = context.witness.payments.get(id)
  if (known === undefined) return []
  const payment = known.acknowledged
  const expires_at = timeOf(payment.expires_at)
  const simulate = (action: SimulatedAction) =>
    Effect.promise(() => {
      known.paid ||= action === "pay"
      const path = `/v1/sandbox/payment-intents/${id}/simulate`
      return client.post(who, path, { action })
    })
  const [, ...others] = payment.channels ?? []
  const first: WalletCharge<never> = {
    expires_at,
    open: Effect.as(payment.deeplink === undefined ? simulate("scan") : Effect.void, true),
    decide: (act) => {
      const action = ACTIONS[act]
      return action === undefined ? Effect.void : Effect.asVoid(simulate(action))
    },
  }
  return [
    first,
    ...others.map(({ channel }) => ({
      expires_at,
      open: Effect.succeed(true),
      decide: (act: Act) =>
        Effect.promise(async () => {
          const status = STATUSES[act]
          if (status === undefined) return
          known.paid ||= status === "AUTHORIZED"
          // A charge that the service has closed meanwhile is paid as another trade.
          await channels.say(payment, channel, status, uuidv7())
        }),
    })),
  ]
}

/** Somebody without the channel's secret says that the payment was paid. */
export const forge = async (
  { channels, context }: Scene,
  { number, payer }: PaymentPlan,
  id: string,
): Promise<void> => {
  const chance = context.chance(`forger of ${number}`)
  const payment = context.witness.payments.get(id)?.acknowledged
  const channel = payment?.channel ?? payment?.channels?.[0]?.channel
  if (payment === undefined || channel === undefined) return
  await context.time.sleep(chance.wait(payer.scans_after))
  const status = chance.pick<TradeStatus>(["AUTHORIZED", "SUCCESS", "REJECTED"])
  if (chance.hits(context.faults().callback_forged)) {
    await channels.say(payment, channel, status, uuidv7(), "another's signature")
  }
  if (chance.hits(context.faults().callback_tampered)) {
    await channels.say(payment, channel, status, uuidv7(), "a changed body")
  }
}
