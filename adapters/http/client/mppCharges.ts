import type { BudgetTracker } from "./BudgetTracker.ts"
import { isFields } from "./Fields.ts"
import { type MppChallenge, requestOf } from "./MppChallenge.ts"
import { credentialFor, type PaymentDemand } from "./PaymentDemand.ts"
import { payOrder, PaymentUnresolved } from "./present.ts"
import { UnclearPayments } from "./UnclearPayments.ts"
import type { Wallet } from "./Wallet.ts"

/** A payment that a 402 has required, and the request that got the 402. */
export interface Demanded {
  readonly due: PaymentDemand
  readonly origin: string
  readonly url: string
  readonly methods: ReadonlyArray<string>
  /** Why the client could not send the request again with a proof; undefined if it can. */
  readonly obstacle?: string | undefined
}

/** A payment of one request, and the challenge that it answers. */
interface Charge {
  readonly due: PaymentDemand
  readonly challenge: MppChallenge
  readonly release: () => void
}

/** Returns what a challenge sells: two of them with the same can be answered by one payment. */
const soldBy = ({ due, methods, url }: Demanded, challenge: MppChallenge): string => {
  const { digest, intent, realm } = challenge
  const { methodDetails, recipient } = requestOf(challenge)
  const { service_id } = isFields(methodDetails) ? methodDetails : {}
  const { currency, value } = due.amount
  const seller = [realm, recipient ?? 0, service_id ?? 0]
  return JSON.stringify([url, methods, digest ?? 0, intent, ...seller, currency, value])
}

/**
 * Pays challenges of single requests. Returns the credential of the demanded payment, or of one for
 * the same that may have been made before. `note` is told of it with its payment.
 */
export const mppCharges = (
  wallet: Wallet,
  tracker: BudgetTracker,
  note: (credential: string, due: PaymentDemand) => void,
) => {
  const unclear = new UnclearPayments<Charge>()
  return async (demand: Demanded, challenge: MppChallenge): Promise<string> => {
    const key = soldBy(demand, challenge)
    const made = unclear.take(key) ?? {
      due: demand.due,
      challenge,
      release: tracker.reserve(demand.due.amount),
    }
    try {
      await payOrder(wallet, made.due, demand.origin, made.release)
    } catch (error) {
      if (error instanceof PaymentUnresolved) unclear.keep(key, made, made.due.expires_at)
      throw error
    }
    const credential = credentialFor(made.due, made.challenge)
    note(credential, made.due)
    return credential
  }
}
