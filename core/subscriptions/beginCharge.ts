import { Effect } from "effect"
import { findDebit } from "../installs/findDebit.ts"
import type { CommitPart } from "../commits/Commit.ts"
import { installOf } from "../installs/consent.ts"
import { beginDebit } from "../payments/debit.ts"
import { newNumbers } from "../payments/registerCharges.ts"
import { priceOn } from "../pricing/quoteSettlement.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import { draftPayment, methodOf } from "./openPayment.ts"
import { catchFailure } from "../shared/catchFailure.ts"

/** How an invoice is charged. */
interface Charge {
  /** The payment's id where it has one already. */
  readonly payment: string | undefined
  /** What is stored with the payment. */
  readonly also: (payment: string) => CommitPart
}

/**
 * Begins to charge an invoice through its payer's install (One-Time Pay, auto-pay), under the rules
 * of any payment that is charged so, its spend cap too. The payment, the request that charges it
 * and `also` are one commit, after which `finishDebit` asks the channel. Undefined, with nothing
 * stored, where its person has to be asked.
 *
 * Fails with `NOT_FOUND` where the service is gone, and with `INSUFFICIENT_KYC`.
 */
export const beginCharge = Effect.fnUntraced(function* (
  invoice: Invoice,
  { also, payment }: Charge,
) {
  const { account_id, amount, payer, service_id } = invoice
  const install = yield* installOf(account_id, payer.agent_id, service_id)
  if (install?.mandate?.status !== "active") return undefined
  const draft = yield* draftPayment(invoice, true, yield* newNumbers(payment))
  const debit = yield* findDebit(account_id, { amount }, draft)
  if (debit === undefined) return undefined
  const { intent, service } = draft
  const { channel, mandate } = debit
  const priced = yield* priceOn(channel, amount, service.settlement_currency, methodOf(invoice))
  const common = { ...intent, ...priced, channel: channel.id, offers: [] }
  return yield* beginDebit(draft, mandate, common, also(intent.id)).pipe(
    catchFailure(["SPEND_CAP_EXCEEDED"], () => Effect.undefined),
  )
})
