import { Effect } from "effect"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { isTerminal } from "../../auditor/invariants/lifecycle.ts"
import type { BookedCharge } from "../../channels/BookedCharge.ts"
import type { PaymentPlan } from "../plans/Plan.ts"
import type { Scene } from "../Scene.ts"

const EARLY = ["qr_generated", "scanning", "authorized"]

/** Longer than anything stands between a message and what is made of it. */
const SAFE = 5 * MINUTE

/**
 * Whether a message is nonsense in the payment's state and stays so: the service has no way to tell
 * a channel's lie from its word where its word would count.
 */
const isNonsense = (
  { auditor, stage }: Scene,
  { flow, payee }: PaymentPlan,
  { channel, out_trade_no, trade_no }: BookedCharge,
  claimed: TradeStatus,
): boolean => {
  const intent = auditor.model.intents.get(out_trade_no)?.record
  if (intent === undefined) return false
  const { clocksOff } = auditor.model
  const { expires_at, status } = intent
  // Money of a charge that the payer did not choose goes back, so its word counts.
  const isOther = intent.channel !== null && intent.channel !== channel
  if (claimed === "SUCCESS" && (isOther || (intent.trade_no ?? trade_no) !== trade_no)) return false
  const ended = isTerminal(flow, status)
  if (flow === "one_time_pay") {
    return (
      claimed === "SCANNED" || claimed === "SETTLEMENT_FAILED" || (ended && claimed !== "SUCCESS")
    )
  }
  if (claimed === "SCANNED") return status !== "qr_generated"
  if (claimed !== "SUCCESS" && claimed !== "SETTLEMENT_FAILED")
    return ended || status === "captured"
  if (ended) return claimed === "SETTLEMENT_FAILED" || status === "succeeded"
  // Who voids or cancels could do so before a process that stands still has heard it.
  const endsIt = payee.act !== "waits" || payee.probes.some(({ action }) => action !== "capture")
  return !endsIt && EARLY.includes(status) && stage.now() + SAFE + clocksOff < expires_at
}

/** The messages of a channel that say what never happened, where they are nonsense. */
export const misleadingMessages = (
  scene: Scene,
  plan: PaymentPlan,
  charges: ReadonlyArray<BookedCharge>,
) => {
  const [charge] = charges
  if (charge === undefined) return Effect.void
  return Effect.forEach(
    plan.confusions,
    ({ after, status }) =>
      Effect.andThen(
        Effect.sleep(after),
        Effect.suspend(() =>
          isNonsense(scene, plan, charge, status)
            ? scene.callbacks.confuse(charge, status)
            : Effect.void,
        ),
      ),
    { concurrency: "unbounded", discard: true },
  )
}
