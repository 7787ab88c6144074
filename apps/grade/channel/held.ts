import { failed, notJudged, type Verdict } from "../report/Report.ts"
import { ended, isPending, STILL_PENDING } from "./ended.ts"
import type { Charge, Gateway } from "./Gateway.ts"

const NO_PAYER = notJudged("nobody pays without --pay URL")

const isUnpaid = async (gateway: Gateway, charge: Charge): Promise<boolean> =>
  (await gateway.look(charge)).fields["status"] === "unpaid"

const HELD = "Hold the money until it is captured. If that takes longer, give --shows-within."

/**
 * Judges a charge that does not show that it was paid. Wallets may tell it late, but then nothing
 * of it is captured.
 */
const notShown = async (gateway: Gateway, charge: Charge): Promise<Verdict> => {
  const { showsWithin } = gateway.options
  const asked = await ended(gateway, charge, "capture", charge.value)
  const isTaken = asked.fields["status"] === "done" && (await isUnpaid(gateway, charge))
  if (isTaken) return failed("status held", "unpaid, of what is captured", HELD)
  if (showsWithin !== undefined) {
    return failed(`status held within ${showsWithin / 1_000} s of the payment`, "unpaid", HELD)
  }
  return notJudged("a charge stays unpaid for long: say --shows-within how many seconds it does")
}

/** Makes a check that begins with an authorized charge. */
export const withHeld =
  (judge: (gateway: Gateway, charge: Charge) => Promise<Verdict>) => async (gateway: Gateway) => {
    if (gateway.pay === undefined) return NO_PAYER
    const charge = gateway.draft()
    await gateway.register(charge)
    const isShown = await gateway.pay(charge)
    return isShown ? judge(gateway, charge) : notShown(gateway, charge)
  }

/** Makes a check that begins with a captured charge. */
export const captured = (judge: (gateway: Gateway, charge: Charge) => Promise<Verdict>) =>
  withHeld(async (gateway, charge) => {
    const taken = await ended(gateway, charge, "capture", charge.value)
    return isPending(taken) ? STILL_PENDING : judge(gateway, charge)
  })
