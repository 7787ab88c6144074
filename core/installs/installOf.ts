import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { worthOf } from "../pricing/quoteSettlement.ts"
import { uuidOfName } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { budgetOf } from "./Budget.ts"
import type { Install } from "./Install.ts"

/**
 * The id of an agent's install of a service: `ins_` and a UUID (version 8) made of the three names,
 * so that there is one, and asking for it needs no index. `sha256` returns lower-case hex.
 */
export const installId = (
  accountId: string,
  agentId: string,
  serviceId: string,
  sha256: (text: string) => string,
): string => `ins_${uuidOfName(`${accountId} ${serviceId} ${agentId}`, sha256)}`

/** An account's agent's install of a service; undefined where it has none. */
export const installOf = Effect.fnUntraced(function* (
  accountId: string,
  agentId: string,
  serviceId: string,
) {
  const { sha256 } = yield* Vault
  return yield* (yield* Store).find("install", installId(accountId, agentId, serviceId, sha256))
})

/**
 * The budget that a payment has to keep to (Installs, spend caps); null where there is none. An
 * amount in another currency counts at the mid-market rate of its creation, rounded up.
 */
export const budgetFor = (install: Install | undefined, amount: Money, at: Timestamp) => {
  const cap = install?.spend_cap_in_force ?? null
  return install === undefined || cap === null
    ? Effect.succeed(null)
    : Effect.map(worthOf(amount, cap.amount.currency, "up"), (value) =>
        budgetOf(install, cap, value, at),
      )
}
