import { Effect } from "effect"
import type { BookedCharge } from "../channels/BookedCharge.ts"
import type { PayerPlan } from "./Plan.ts"
import type { Scene } from "./Scene.ts"

/** What the payer's wallet does with one charge. */
const decide = ({ network, stage }: Scene, act: PayerPlan["act"], charge: BookedCharge): void => {
  switch (act) {
    case "pays": {
      const payer = stage.chance(`wallet of ${charge.charge_id}`).int(1, 50)
      network.pay(charge, { payer_id: `human-${payer}`, wallet_id: `wallet-${payer}` })
      return
    }
    case "rejects":
      network.refuse(charge, "REJECTED")
      return
    case "lacks_funds":
      network.refuse(charge, "INSUFFICIENT_BALANCE")
      return
    case "is_closed_out":
      network.refuse(charge, "CLOSED")
      return
    default:
      return
  }
}

const REFUSALS: ReadonlySet<PayerPlan["act"]> = new Set(["rejects", "lacks_funds", "is_closed_out"])

/** The payer's part: opens one charge or all of them, and decides. */
export const playPayer = Effect.fnUntraced(function* (
  scene: Scene,
  plan: PayerPlan,
  charges: ReadonlyArray<BookedCharge>,
) {
  if (plan.act === "sleeps") return
  const { now } = scene.stage
  yield* Effect.sleep(plan.scans_after)
  for (const [n, charge] of charges.entries()) {
    const act = n === 0 ? plan.act : plan.others
    if (act === null) return
    if (charge.kind === "qr" && !scene.network.scan(charge)) continue
    yield* Effect.sleep(
      plan.around_expiry === null
        ? plan.decides_after
        : Math.max(charge.expires_at + plan.around_expiry - now(), 0),
    )
    decide(scene, act, charge)
    if (REFUSALS.has(act) && scene.stage.faults().payment_after_close > 0) {
      // Whoever has refused changes their mind, which a charge that is over takes by mistake.
      yield* Effect.sleep(plan.decides_after)
      decide(scene, "pays", charge)
    }
  }
})
