import { Effect } from "effect"
import type { Tab } from "../invoices/Tab.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"

/**
 * Refuses to open a tab while a bill of it is owed that was given up. Otherwise an agent that pays
 * none of its bills could go on using the service.
 *
 * Fails with `INVOICE_UNPAID`, which names the oldest such invoice.
 */
export const refuseUnpaid = Effect.fnUntraced(function* ({ id }: Pick<Tab, "id">) {
  const by = { tab: id, status: "uncollectible" } as const
  const [owed] = yield* (yield* Store).list("invoice", { by, order: "oldest", limit: 1 })
  if (owed === undefined) return
  return yield* new Failure({
    code: "INVOICE_UNPAID",
    message:
      `The invoice ${owed.id} of this tab was never paid. Pay it by ` +
      `POST /v1/invoices/${owed.id}/pay, or ask its seller to void it, then start the tab again.`,
    details: { invoice: owed.id, amount: owed.amount },
  })
})
