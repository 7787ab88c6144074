import { Effect } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import type { Guard } from "../commits/Commit.ts"
import type { PayerInput } from "../kyc/agents/PayerInput.ts"
import { type KnownSpender, spenderOf } from "../kyc/limits/payers.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
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
export const installOf = (accountId: string, agentId: string, serviceId: string) =>
  Effect.flatMap(Vault, ({ sha256 }) =>
    Effect.flatMap(Store, (store) =>
      store.find("install", installId(accountId, agentId, serviceId, sha256)),
    ),
  )

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

/** Who pays, and whose limits the payment takes. */
export interface NamedPayer {
  /** The account whose agent pays; null where the name is a label, or there is none. */
  readonly account_id: string | null
  readonly agent_id: string | null
  readonly human_id: string | null
  /** The payer's limits; those of the payee where the payer is nobody that consented. */
  readonly spender: KnownSpender
  /** The install by which somebody else's agent has agreed to be named. */
  readonly consent: ReadonlyArray<Guard>
}

/** Who is paid for what. */
interface Sale {
  readonly service: Pick<ServiceManifest, "id" | "account_id">
  readonly payee: Pick<Account, "agent_id">
}

/** An agent of the caller's own account, whatever agents other accounts have. */
const ownPayer = ({ account }: Caller, agent_id: string, human_id: string | null) =>
  Effect.map(spenderOf(account.id, agent_id), (spender): NamedPayer => ({
    account_id: account.id,
    agent_id,
    human_id,
    spender,
    consent: [],
  }))

/** The name of a payer that nobody answers to, or none: the caller's own limits count. */
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

/** Whom a seller names for its own service: somebody where that agent has installed it. */
const namedBySeller = Effect.fnUntraced(function* (
  caller: Caller,
  agent_id: string,
  human_id: string | null,
  serviceId: string,
) {
  const other = yield* (yield* Store).findBy("account", { agent_id })
  // Both are looked up whoever is named, so that the time tells of nobody either.
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
 * The payer of a new payment, and whose limits it takes. A buyer pays as its own agent unless it
 * names another of its own, which any name is. A seller may name an agent that has installed its
 * service. Any other name that a seller gives is a label: the payment is nobody's, and takes the
 * payee's limits, as one without a name does. For somebody else's service a seller is a payer
 * itself. `sale` is undefined for a question that is about no service.
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
