import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** The purchases with an identifier, as their sellers were told. */
class NamedPurchases {
  /** The payment of each purchase, and the first door at which the seller was told about it. */
  readonly paid = new Map<string, { readonly payment: string; readonly door: string }>()
}

/** The auditor's knowledge about purchases that have an identifier. */
export const namedPurchases = knowledge("named purchases", NamedPurchases)

declare module "../Observation.ts" {
  interface Observations {
    /** A seller was told, at one of the doors, that a payment pays a purchase. */
    readonly purchased: {
      readonly purchase: string
      readonly payment_intent: string
      readonly door: string
    }
    /** All payments that were begun for a purchase, at rest. */
    readonly charged: { readonly purchase: string; readonly payments: ReadonlyArray<string> }
  }
}

const paidOnce: Rule<"purchased"> = ({ door, payment_intent, purchase }, model) => {
  const { paid } = model.know(namedPurchases)
  const before = paid.get(purchase)
  if (before === undefined) paid.set(purchase, { payment: payment_intent, door })
  return before === undefined || before.payment === payment_intent
    ? undefined
    : `is paid by ${payment_intent} at ${door}, and by ${before.payment} at ${before.door}`
}

/** Checks that channels have taken the money for a purchase once, or never. */
const chargedOnce: Rule<"charged"> = ({ payments }, model) => {
  const charged = payments.filter((id) => model.booksOf(id).count("capture", "payment") > 0)
  const charges = charged.reduce(
    (sum, id) => sum + model.booksOf(id).count("capture", "payment"),
    0,
  )
  return charges > 1 ? `is charged ${charges} times: ${charged.join(", ")}` : undefined
}

/** The rules about purchases with an identifier, over all doors. */
export const namedPurchaseRules: Rulebook = {
  83: { purchased: paidOnce, charged: chargedOnce },
}
