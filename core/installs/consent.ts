import { Effect } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import type { Guard } from "../commits/Commit.ts"
import type { PayerInput } from "../kyc/agents/PayerInput.ts"
import { type KnownSpender, spenderOf } from "../kyc/limits/payers.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { worthUnder } from "../pricing/quoteSettlement.ts"
import { uuidOfName } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { budgetOf } from "./Budget.ts"
import type { Install } from "./Install.ts"
import type { SpendCap } from "./SpendCap.ts"

/**
 * Returns the id of an agent's install of a service: `ins_` and a UUID (version 8) derived from the
 * three names. There is at most one install, and a lookup needs no index. `sha256` returns
 * lower-case hex.
 */
export const installId = (
  accountId: string,
  agentId: string,
  serviceId: string,
  sha256: (text: string) => string,
): string => `ins_${uuidOfName(`${accountId} ${serviceId} ${agentId}`, sha256)}`

/** Finds the install of a service by an agent of an account; undefined where there is none. */
export const installOf = (accountId: string, agentId: string, serviceId: string) =>
  Effect.flatMap(Vault, ({ sha256 }) =>
    Effect.flatMap(Store, (store) =>
      store.find("install", installId(accountId, agentId, serviceId, sha256)),
    ),
  )

const capLimit = ({ amount: { currency } }: SpendCap) => ({
  currency,
  field: "spend_cap",
  name: "the spend cap of the agent's install",
})

/**
 * Returns the budget that a payment must keep to (Installs, spend caps); null where there is none.
 * Another currency counts at the mid-market rate of the payment's creation, rounded up.
 */
export const budgetFor = (install: Install | undefined, amount: Money, at: Timestamp) => {
  const cap = install?.spend_cap_in_force ?? null
  return install === undefined || cap === null
    ? Effect.succeed(null)
    : Effect.map(worthUnder(amount, capLimit(cap)), (value) => budgetOf(install, cap, value, at))
}

/** The payer of a payment, and whose limits it counts against. */
export interface NamedPayer {
  /** The account of the paying agent; null for a mere label, or without a name. */
  readonly account_id: string | null
  readonly agent_id: string | null
  readonly human_id: string | null
  /** The party whose limits count: the payer, or the payee if no consenting payer is known. */
  readonly spender: KnownSpender
  /** Guards on the install by which another account's agent consents to be named. */
  readonly consent: ReadonlyArray<Guard>
}

/** The service, and its seller. */
interface Sale {
  readonly service: Pick<ServiceManifest, "id" | "account_id">
  readonly payee: Pick<Account, "agent_id">
}

/** Returns an agent of the caller's own account as the payer, whatever other accounts have. */
const ownPayer = ({ account }: Caller, agent_id: string, human_id: string | null) =>
  Effect.map(spenderOf(account.id, agent_id), (spender): NamedPayer => ({
    account_id: account.id,
    agent_id,
    human_id,
    spender,
    consent: [],
  }))

/** Returns a label, or no name, as the payer: the caller's own limits count. */
const label = (
  { account }: Caller,
  agent_id: string | null,
  human_id: string | null,
  party: "payer" | "payee",
) =>
  Effect.map(spenderOf(account.id, account.agent_id, party), (spender): NamedPayer => ({
    account_id: null,
    agent_id,
    human_id,
    spender,
    consent: [],
  }))

/** Returns the payer that a seller names for its own service: a real one if it has the install. */
const namedBySeller = Effect.fnUntraced(function* (
  caller: Caller,
  agent_id: string,
  human_id: string | null,
  serviceId: string,
) {
  const other = yield* (yield* Store).findBy("account", { agent_id })
  // Both lookups are always made, so that the response time does not reveal whether the agent
  // exists.
  const install = yield* installOf(other?.id ?? caller.account.id, agent_id, serviceId)
  const labelled = yield* label(caller, agent_id, human_id, "payee")
  const spender = yield* spenderOf(other?.id ?? caller.account.id, agent_id)
  if (other === undefined || install === undefined) return labelled
  const { id, version } = install
  const named: NamedPayer = {
    account_id: other.id,
    agent_id,
    human_id,
    spender,
    consent: [{ kind: "install", id, version }],
  }
  return named
})

/**
 * Decides the payer of a new payment, and whose limits it counts against. A buyer pays as its own
 * agent, or as the agent that it names, which is always its own. A seller may name an agent that
 * has installed its service. Any other name by a seller is a label: the payment has no known payer
 * and counts against the payee's limits, as without a name. For another seller's service a seller
 * is a payer itself. `sale` is undefined for a question without a service.
 */
export const namePayer = (caller: Caller, payer: PayerInput = {}, sale?: Sale) => {
  const { account } = caller
  const { agent_id } = payer
  const human_id = payer.human_id ?? null
  const own = account.agent_id
  if (account.kind === "buyer") return ownPayer(caller, agent_id ?? own, human_id)
  if (sale !== undefined && sale.service.account_id !== account.id) {
    return (agent_id ?? own) === own
      ? ownPayer(caller, own, human_id)
      : label(caller, agent_id ?? own, human_id, "payer")
  }
  if (agent_id === undefined || sale === undefined) {
    return label(caller, agent_id ?? null, human_id, "payee")
  }
  return agent_id === own
    ? ownPayer(caller, own, human_id)
    : namedBySeller(caller, agent_id, human_id, sale.service.id)
}
