import { notJudged, type Verdict } from "../report/Report.ts"
import { ended, isPending, STILL_PENDING } from "./ended.ts"
import type { Charge, Gateway } from "./Gateway.ts"

const NO_PAYER = notJudged("nobody pays without --pay URL")

/** Makes a check that begins with an authorized charge. */
export const withHeld =
  (judge: (gateway: Gateway, charge: Charge) => Promise<Verdict>) => async (gateway: Gateway) => {
    if (gateway.pay === undefined) return NO_PAYER
    const charge = gateway.draft()
    await gateway.register(charge)
    await gateway.pay(charge)
    return judge(gateway, charge)
  }

/** Makes a check that begins with a captured charge. */
export const captured = (judge: (gateway: Gateway, charge: Charge) => Promise<Verdict>) =>
  withHeld(async (gateway, charge) => {
    const taken = await ended(gateway, charge, "capture", charge.value)
    return isPending(taken) ? STILL_PENDING : judge(gateway, charge)
  })
