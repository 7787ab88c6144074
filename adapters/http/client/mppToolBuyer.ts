import { PaymentRefused } from "./BudgetTracker.ts"
import { makeClient } from "./client.ts"
import { isFields } from "./Fields.ts"
import { type MppChallenge, requestOf } from "./MppChallenge.ts"
import type { Paying } from "./mppSubscriber.ts"
import { credentialFor } from "./PaymentDemand.ts"
import { payOrder, PaymentUnresolved } from "./present.ts"

/** The prefix of tools as resources. */
const TOOL = "mcp://tool/"

const isTool = (resource: unknown): resource is string =>
  typeof resource === "string" && resource.startsWith(TOOL)

/** Whether a challenge's `methodDetails` are those of a tool, whose caller begins the payment. */
export const isOfTool = (details: unknown): boolean =>
  isFields(details) && isTool(details["resource"])

/**
 * Answers challenges of tools (MCP) with an account of payport, which begins the payment that the
 * tool then takes. One payment is made per challenge. Resolves with the value of `Authorization`.
 */
export const mppToolBuyer = ({ account, tracker, wallet }: Paying) => {
  const { facilitator } = makeClient(account)
  const bought = new Map<string, Promise<string>>()

  const buy = async (challenge: MppChallenge): Promise<string> => {
    const { amount: value, currency, methodDetails } = requestOf(challenge)
    const { resource, service_id } = isFields(methodDetails) ? methodDetails : {}
    if (!isTool(resource) || typeof service_id !== "string" || typeof currency !== "string") {
      throw new PaymentRefused("malformed", "The challenge names no service, tool and currency.")
    }
    const amount = { currency: currency.toUpperCase(), value: Number(value) }
    const release = tracker.reserve(amount)
    const begun = await facilitator
      .pay({ service_id, amount, resource })
      .catch((error: unknown) => {
        release()
        throw error
      })
    const demand = { ...begun.payment_intent, amount }
    await payOrder(wallet, demand, `mcp:${challenge.realm}`, release)
    return credentialFor(begun.payment_intent, challenge)
  }

  return (challenge: MppChallenge): Promise<string> => {
    const made = bought.get(challenge.id) ?? buy(challenge)
    bought.set(challenge.id, made)
    const [oldest] = bought.size > MOST ? bought.keys() : []
    if (oldest !== undefined) bought.delete(oldest)
    return made.catch((error: unknown) => {
      // If nothing was paid, another attempt is allowed.
      if (!(error instanceof PaymentUnresolved)) bought.delete(challenge.id)
      throw error
    })
  }
}

/** The most purchases that are remembered. */
const MOST = 100
