import { PaymentRefused } from "./BudgetTracker.ts"
import { makeClient } from "./client.ts"
import { isFields } from "./Fields.ts"
import { type MppChallenge, requestOf } from "./MppChallenge.ts"
import type { Paying } from "./mppSubscriber.ts"
import { credentialFor, type PaymentDemand } from "./PaymentDemand.ts"
import { payOrder, PaymentUnresolved } from "./present.ts"
import { UnclearPayments } from "./UnclearPayments.ts"

/** The prefix of tools as resources. */
const TOOL = "mcp://tool/"

const isTool = (resource: unknown): resource is string =>
  typeof resource === "string" && resource.startsWith(TOOL)

/** Whether a challenge's `methodDetails` are those of a tool, whose caller begins the payment. */
export const isOfTool = (details: unknown): boolean =>
  isFields(details) && isTool(details["resource"])

/** A payment that was begun for a tool. */
interface Begun {
  readonly due: PaymentDemand
  readonly release: () => void
}

/**
 * Answers challenges of tools (MCP) with an account of payport, which begins the payment that the
 * tool then takes. One payment is made per challenge. Resolves with the value of `Authorization`.
 */
export const mppToolBuyer = ({ account, tracker, wallet }: Paying) => {
  const { facilitator } = makeClient(account)
  const bought = new Map<string, Promise<string>>()
  const unclear = new UnclearPayments<Begun>()

  /** Begins a payment within the budget. */
  const begin = async (asked: Parameters<typeof facilitator.pay>[0]): Promise<Begun> => {
    const release = tracker.reserve(asked.amount)
    try {
      const { payment_intent } = await facilitator.pay(asked)
      return { due: { ...payment_intent, amount: asked.amount }, release }
    } catch (error) {
      release()
      throw error
    }
  }

  const buy = async (challenge: MppChallenge): Promise<string> => {
    const { amount: value, currency, methodDetails } = requestOf(challenge)
    const { resource, service_id } = isFields(methodDetails) ? methodDetails : {}
    if (!isTool(resource) || typeof service_id !== "string" || typeof currency !== "string") {
      throw new PaymentRefused("malformed", "The challenge names no service, tool and currency.")
    }
    const amount = { currency: currency.toUpperCase(), value: Number(value) }
    const asked = { service_id, amount, resource }
    const key = JSON.stringify([challenge.realm, asked])
    const begun = unclear.take(key) ?? (await begin(asked))
    try {
      await payOrder(wallet, begun.due, `mcp:${challenge.realm}`, begun.release)
    } catch (error) {
      if (error instanceof PaymentUnresolved) unclear.keep(key, begun, begun.due.expires_at)
      throw error
    }
    // The challenge of an earlier call may have expired, and be of another account.
    return credentialFor(begun.due, challenge)
  }

  return (challenge: MppChallenge): Promise<string> => {
    const made = bought.get(challenge.id) ?? buy(challenge)
    bought.set(challenge.id, made)
    const [oldest] = bought.size > MOST ? bought.keys() : []
    if (oldest !== undefined) bought.delete(oldest)
    return made.catch((error: unknown) => {
      // Another attempt is allowed. It asks for the same payment while that may be made.
      bought.delete(challenge.id)
      throw error
    })
  }
}

/** The most purchases that are remembered. */
const MOST = 100
