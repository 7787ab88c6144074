import { Result } from "effect"
import type { Money } from "../../../core/shared/Money.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Charge } from "./Charge.ts"

/** The charge after a call, or why the channel refuses the call. */
export type Changed = Result.Result<Charge, string>

/** Returns a refusal that names the charge's state. */
export const refuse = (charge: Charge, what: string): Changed =>
  Result.fail(`the charge is ${charge.state}: ${what}`)

const wasCaptured = (charge: Charge): boolean =>
  Object.values(charge.effects).some(
    ({ action, refused }) => action === "capture" && refused === null,
  )

/** Returns the captured amount of a paid charge: all, or a part. */
export const takenOf = ({ amount, captured }: Charge): Money => ({
  ...amount,
  value: captured ?? amount.value,
})

/** Captures the requested amount. The rest of the held money returns to the payer. */
export const capture = (charge: Charge, value: number, settleAt: Timestamp | null): Changed => {
  const whole = charge.amount.value
  if (value > whole) return refuse(charge, "no more than is held can be captured")
  if (charge.state === "authorized") {
    const part = value < whole ? { captured: value } : {}
    return Result.succeed({ ...charge, ...part, state: "captured", settle_at: settleAt })
  }
  if (value < whole) return refuse(charge, "there is nothing to capture")
  // The wallet has paid without a capture. The money exists, and is reported again.
  return charge.state === "settled" && charge.refunded === 0 && !wasCaptured(charge)
    ? Result.succeed({ ...charge, state: "captured", settle_at: settleAt })
    : refuse(charge, "there is nothing to capture")
}
