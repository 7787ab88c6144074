// Written from the roles of the parties, and not from core/payments/access.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Write } from "../../../core/ports/Store.ts"
import type { Cause } from "../../world/ports/CurrentCause.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

type Asker = Extract<Cause, { readonly type: "client" }>

/** A seller's tool takes the proven payment of the buyer who calls it, for its seller. */
const isTool = ({ route }: Asker): boolean => route.startsWith("tools/call ")

/** The accounts that may bring a payment to a status by a request; undefined for any other. */
const mayBring = (
  { account_id, payee_account_id, payer_account_id }: PaymentIntent,
  asker: Asker,
): { readonly [status: string]: ReadonlyArray<string | null> } => {
  const parties = [account_id, payee_account_id, payer_account_id]
  return {
    capturing: isTool(asker) ? parties : [payee_account_id],
    cancelled: [payee_account_id],
    voided: parties,
  }
}

/** Returns what is wrong about one write of a request of that account. */
const flawOf = ({ kind, op, record }: Write, asker: Asker, model: Model): Finding => {
  const { account } = asker
  const about =
    kind === "payment_intent"
      ? record.id
      : kind === "refund" || kind === "access_item" || kind === "refund_request"
        ? record.payment_intent
        : null
  const payment = model.intents.get(about ?? "")?.record
  if (payment === undefined || op === "remove") return undefined
  const isPayee = account === payment.payee_account_id
  if (kind === "payment_intent") {
    const may =
      record.status === payment.status ? undefined : mayBring(payment, asker)[record.status]
    return may === undefined || may.includes(account)
      ? undefined
      : `has ${payment.id} ${record.status} by ${account}`
  }
  if (kind === "refund_request") {
    const isDecided = record.status === "approved" || record.status === "declined"
    return isDecided && !isPayee ? `has ${record.id} ${record.status} by ${account}` : undefined
  }
  return op === "insert" && !isPayee ? `has a ${kind} of ${payment.id} by ${account}` : undefined
}

/** Checks that a request changes a payment only for an account that may do that. */
const byItsParty: Rule<"commit"> = ({ cause, commit }, model) => {
  if (cause.type !== "client") return undefined
  for (const write of commit.writes) {
    const flaw = flawOf(write, cause, model)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** The rules about who may act on a payment. */
export const partyRules: Rulebook = { 120: { commit: byItsParty } }
