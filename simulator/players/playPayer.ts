import { Effect } from "effect"
import type { PayerPlan } from "../world/plans/Plan.ts"
import type { PlayerWorld, WalletCharge } from "./PlayerWorld.ts"

const REFUSALS: ReadonlySet<PayerPlan["act"]> = new Set(["rejects", "lacks_funds", "is_closed_out"])

/** The payer's part: opens one charge or all of them, and decides. */
export const playPayer = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  plan: PayerPlan,
  charges: ReadonlyArray<WalletCharge<R>>,
) {
  if (plan.act === "sleeps") return
  yield* world.sleep(plan.scans_after)
  for (const [n, charge] of charges.entries()) {
    const act = n === 0 ? plan.act : plan.others
    if (act === null) return
    if (!(yield* charge.open)) continue
    yield* plan.around_expiry === null
      ? world.sleep(plan.decides_after)
      : world.sleepUntil(charge.expires_at + plan.around_expiry)
    yield* charge.decide(act)
    if (REFUSALS.has(act) && world.changesMind()) {
      // Whoever has refused changes their mind, which a charge that is over takes by mistake.
      yield* world.sleep(plan.decides_after)
      yield* charge.decide("pays")
    }
  }
})
