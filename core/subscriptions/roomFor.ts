import { Effect } from "effect"
import type { Reservation } from "../commits/Commit.ts"
import { PARTS, periodCounter, type Tab, type TabPrice, weightOf } from "../invoices/Tab.ts"
import { carriedIn } from "../invoices/TabBill.ts"
import { wholeOf } from "../invoices/Usage.ts"
import { mostAtOnce } from "../kyc/limits/Limits.ts"
import { spenderOf } from "../kyc/limits/payers.ts"
import { Installation } from "../ports/Installation.ts"
import { mostWorth } from "../pricing/quoteSettlement.ts"
import { MAX_VALUE } from "../shared/Money.ts"

/** What a report adds to its period. */
interface Added {
  readonly tab: Tab
  readonly period: { readonly number: number; readonly price: TabPrice }
  readonly quantity: string
}

/**
 * Returns the reservation by which a report takes its part of what the period's bill may come to:
 * what the payer may pay at once, at its present level and the current rate, less what the tab
 * carries. Without a usable rate only the limit of every payment holds, so that use can still be
 * reported. `level` and `carried`, in minor units, say why it is refused.
 */
export const roomFor = Effect.fnUntraced(function* ({ period, quantity, tab }: Added) {
  const { number, price } = period
  const { limits } = (yield* Installation).terms
  const { level } = yield* spenderOf(tab.account_id, tab.agent_id)
  const most = yield* mostWorth(mostAtOnce(limits, level), price.currency).pipe(
    Effect.catchTag("Failure", () => Effect.succeed(MAX_VALUE)),
  )
  const carried = wholeOf(carriedIn(tab.carried, price.currency), "ceil")
  const reservation: Reservation = {
    counter: periodCounter(tab, number),
    add: weightOf(quantity, price),
    limit: (Math.min(most, MAX_VALUE) - carried) * PARTS,
  }
  return { reservation, level, carried }
})

/** The room of a report, as {@link roomFor} found it. */
export type Room = Effect.Success<ReturnType<typeof roomFor>>
