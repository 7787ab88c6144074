import { uuidv7 } from "uuidv7"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import type { SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { type SeenPayment, timeOf } from "../../../simulator/blackbox/Seen.ts"
import type { PaymentPlan, PayerPlan } from "../../../simulator/world/Plan.ts"
import type { Scene } from "./Scene.ts"
import type { Actor } from "./Stage.ts"

const ACTIONS: { readonly [A in PayerPlan["act"]]?: SimulatedAction } = {
  pays: "pay",
  rejects: "reject",
  lacks_funds: "insufficient_balance",
  is_closed_out: "close",
}

/** What a second wallet says of the charge that its payer opened too. */
const SAID = { pays: "AUTHORIZED", scans: "SCANNED", rejects: "REJECTED" } as const

const simulate = async (
  { caller, stage }: Scene,
  who: Actor,
  { id }: SeenPayment,
  action: SimulatedAction,
): Promise<void> => {
  const known = stage.witness.payments.get(id)
  if (known !== undefined && (action === "pay" || action === "authorize")) known.paid = true
  const path = `/v1/sandbox/payment-intents/${id}/simulate`
  await caller.send({ who, method: "POST", path, body: { action }, key: null })
}

/** The payer opens the other charges too: their wallets speak for themselves. */
const openOthers = async (
  { channels, stage }: Scene,
  { act, others }: PayerPlan,
  payment: SeenPayment,
): Promise<void> => {
  const known = stage.witness.payments.get(payment.id)
  if (others === null || known === undefined || act === "sleeps") return
  const status = SAID[others as keyof typeof SAID]
  const [, ...rest] = payment.channels ?? []
  for (const { channel } of status === undefined ? [] : rest) {
    if (status === "AUTHORIZED") known.paid = true
    // A charge that the service has closed meanwhile is paid as another trade.
    await channels.say(payment, channel, status, uuidv7())
  }
}

/** The payer's part: opens the charge, decides, and perhaps opens others. */
export const playPayer = async (
  scene: Scene,
  { payer: plan }: PaymentPlan,
  who: Actor,
  payment: SeenPayment,
): Promise<void> => {
  if (plan.act === "sleeps") return
  const { time } = scene.stage
  await time.sleep(plan.scans_after)
  if (payment.deeplink === undefined) await simulate(scene, who, payment, "scan")
  if (plan.around_expiry === null) await time.sleep(plan.decides_after)
  else await time.until(timeOf(payment.expires_at) + plan.around_expiry, true)
  const action = ACTIONS[plan.act]
  if (action !== undefined) await simulate(scene, who, payment, action)
  await openOthers(scene, plan, payment)
}

/** Somebody without the channel's secret says that the payment was paid. */
export const playForger = async (
  { channels, stage }: Scene,
  { number, payer }: PaymentPlan,
  payment: SeenPayment,
): Promise<void> => {
  const chance = stage.chance(`forger of ${number}`)
  const channel = payment.channel ?? payment.channels?.[0]?.channel
  if (channel === undefined) return
  await stage.time.sleep(chance.wait(payer.scans_after))
  const status = chance.pick<TradeStatus>(["AUTHORIZED", "SUCCESS", "REJECTED"])
  if (chance.hits(stage.faults().callback_forged)) {
    await channels.say(payment, channel, status, uuidv7(), "another's signature")
  }
  if (chance.hits(stage.faults().callback_tampered)) {
    await channels.say(payment, channel, status, uuidv7(), "a changed body")
  }
}
