import { Effect } from "effect"
import { takesDebits } from "../installs/AutoPay.ts"
import { allowedDebit } from "../installs/findDebit.ts"
import type { CommitPart } from "../commits/Commit.ts"
import { installOf } from "../installs/consent.ts"
import type { KeySpending } from "../keys/keySpending.ts"
import { beginDebit } from "../payments/debit.ts"
import { newNumbers } from "../payments/registerCharges.ts"
import { priceOn } from "../pricing/quoteSettlement.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import { temporarilyUnavailable } from "../routing/Routing.ts"
import { draftPayment, methodOf } from "./openPayment.ts"
import { catchFailure } from "../shared/catchFailure.ts"

/** The circumstances of a charge. */
interface Charge {
  /** The payment's id if it is already known. */
  readonly payment: string | undefined
  /** What it takes of the budgets of the key that pays. */
  readonly keyed?: KeySpending | undefined
  /** Whether to fail while the channel takes no debits, instead of asking the person. */
  readonly waits?: boolean
  /** Returns the part of the commit to store with the payment. */
  readonly also: (payment: string) => CommitPart
}

/**
 * Begins to charge an invoice through its payer's install (One-Time Pay, auto-pay), under the rules
 * of any automatic payment, with the spend cap. One commit stores the payment, the channel request
 * and `also`; then `finishDebit` asks the channel. Returns undefined, with nothing stored, where
 * the person has to be asked.
 *
 * Fails with `NOT_FOUND` where the service does not exist, and with `INSUFFICIENT_KYC`. A charge
 * that `waits` fails with `CHANNEL_TEMPORARILY_UNAVAILABLE` while its channel takes no debits.
 */
export const beginCharge = Effect.fnUntraced(function* (
  invoice: Invoice,
  { also, keyed, payment, waits = false }: Charge,
) {
  const { account_id, amount, payer, service_id } = invoice
  const install = yield* installOf(account_id, payer.agent_id, service_id)
  if (install?.mandate?.status !== "active") return undefined
  const draft = yield* draftPayment(invoice, true, yield* newNumbers(payment), keyed)
  const debit = yield* allowedDebit(account_id, { amount }, draft)
  if (debit === undefined) return undefined
  const { intent, service } = draft
  const { channel, health, mandate } = debit
  if (!takesDebits(health)) {
    return waits ? yield* temporarilyUnavailable(channel.id, [health]) : undefined
  }
  const priced = yield* priceOn(channel, amount, service.settlement_currency, methodOf(invoice))
  const common = { ...intent, ...priced, channel: channel.id, offers: [] }
  return yield* beginDebit(draft, mandate, common, also(intent.id)).pipe(
    catchFailure(["SPEND_CAP_EXCEEDED"], () => Effect.undefined),
  )
})
