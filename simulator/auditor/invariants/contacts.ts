import type { Verification } from "../../../core/kyc/verifications/Verification.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { knowledge } from "../Knowledge.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** An account whose agents use one e-mail address and one phone for all their codes. */
    readonly household: { readonly account_id: string }
  }
}

/** The households, and which of their agents are verified by their contacts. */
class Households {
  /** By account, the agent of each such verification. */
  readonly #verified = new Map<string, Map<string, string>>()

  settle(accountId: string): void {
    this.#verified.set(accountId, new Map())
  }

  /** Returns how many agents of its household are then verified; 0 if it has no household. */
  countWith({ account_id, agent_id }: Verification): number {
    const verified = this.#verified.get(account_id)
    return verified === undefined ? 0 : new Set([...verified.values(), agent_id]).size
  }

  learn({ kind, record }: Write): void {
    if (kind !== "verification" || record.level !== "basic") return
    const verified = this.#verified.get(record.account_id)
    if (record.status === "verified") verified?.set(record.id, record.agent_id)
    else verified?.delete(record.id)
  }
}

/** The auditor's knowledge about contacts. The store only holds their hashes. */
export const households = knowledge("households", Households, (known, write) => known.learn(write))

const settled = ({ account_id }: Observations["household"], model: Model): Finding => {
  model.know(households).settle(account_id)
  return undefined
}

/** The number of agents that one contact can verify at a time. */
const MOST = 3

const counted = ({ write: { kind, record } }: Observations["write"], model: Model): Finding => {
  if (kind !== "verification" || record.level !== "basic") return undefined
  if (record.status !== "verified") return undefined
  const count = model.know(households).countWith(record)
  return count > MOST ? `makes ${count} agents that one address and phone verify` : undefined
}

/** The rules about what an e-mail address and a phone can verify. */
export const contactRules: Rulebook = { 90: { household: settled, write: counted } }
