import { Clock, Effect } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import { createAccount } from "../../../core/accounts/createAccount.ts"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import type { KycLevel } from "../../../core/channels/Channel.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import type { ManifestInput } from "../../../core/registry/ManifestInput.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { registerReceivers } from "./webhookReceivers.ts"
import type { Stage } from "../Stage.ts"

type Some = readonly [string, ...ReadonlyArray<string>]

/** A service of the world, and its payers' usual currencies. */
export interface ServicePlan {
  readonly name: string
  readonly seller: number
  readonly accepted_channels: Some
  readonly default_channel: string | null
  readonly fallback_channel: string | null
  readonly settlement_currency: string
  readonly currencies: Some
  readonly revocation_policy?: NonNullable<ManifestInput["revocation_policy"]>
}

/** Services with one channel and with several, with a default, a fallback, both and neither. */
export const SERVICES: readonly [ServicePlan, ...ReadonlyArray<ServicePlan>] = [
  {
    name: "Two wallets to choose from",
    seller: 0,
    accepted_channels: ["wallet_a", "wallet_b"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "USD",
    currencies: ["USD", "EUR", "CNY"],
  },
  {
    name: "A default with a fallback",
    seller: 0,
    accepted_channels: ["wallet_a", "wallet_b", "stablecoin_a"],
    default_channel: "wallet_a",
    fallback_channel: "wallet_b",
    settlement_currency: "EUR",
    currencies: ["USD", "CNY"],
    revocation_policy: {
      auto_revoke_on_refund: true,
      default_targets: [{ type: "access_token" }, { type: "session", scope: "read:detail" }],
    },
  },
  {
    name: "One wallet",
    seller: 1,
    accepted_channels: ["wallet_a"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "JPY",
    currencies: ["JPY", "USD", "SGD"],
    revocation_policy: {
      auto_revoke_on_refund: true,
      default_targets: [{ type: "license_key", scope: "all" }],
      strict: true,
      webhook_on_revoke: false,
    },
  },
  {
    name: "A bank and two wallets",
    seller: 1,
    accepted_channels: ["bank_qr_a", "wallet_c", "wallet_a"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "SGD",
    currencies: ["SGD"],
  },
  {
    name: "A default alone",
    seller: 2,
    accepted_channels: ["wallet_b", "wallet_f", "business_a"],
    default_channel: "wallet_f",
    fallback_channel: "wallet_b",
    settlement_currency: "USD",
    currencies: ["USD", "EUR"],
  },
  {
    name: "Stablecoins",
    seller: 2,
    accepted_channels: ["stablecoin_a", "stablecoin_b"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "KWD",
    currencies: ["KWD", "USD"],
  },
]

/** Returns the service with that name; undefined if there is none. */
export const serviceNamed = (name: string): ServicePlan | undefined =>
  SERVICES.find((service) => service.name === name)

/** The accounts and services of the world. */
export interface Population {
  readonly sellers: ReadonlyArray<Caller>
  /** The ids of each seller's registered receivers. */
  readonly receivers: ReadonlyArray<ReadonlyArray<string>>
  readonly buyers: ReadonlyArray<Caller>
  readonly stranger: Caller
  /** The id of each service by its name. */
  readonly services: Map<string, string>
}

/** Verifies an agent of an account for good, as only the world can. */
export const verify = Effect.fnUntraced(function* (
  account_id: string,
  agent_id: string,
  level: KycLevel,
) {
  const record = {
    id: agentRecordId(account_id, agent_id, (yield* Vault).sha256),
    version: 1,
    account_id,
    agent_id,
    level,
    verified: [{ verification_id: "kyc_", level, expires_at: null, channels: [] }],
    updated_at: yield* Clock.currentTimeMillis,
  } as const
  yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "agent", record }] })
})

const settle = Effect.fnUntraced(function* (kind: "seller" | "buyer", agent_id: string) {
  const account = yield* createAccount({ name: agent_id, kind, agent_id, plan: "enterprise" })
  yield* verify(account.id, agent_id, "business")
  return yield* authenticate(`Bearer ${account.api_key.key}`)
})

/** Returns a seller's manifest for a service of the world. */
export const manifestOf = (plan: ServicePlan, name: string, endpoint: string) => {
  const { accepted_channels, default_channel, fallback_channel, settlement_currency } = plan
  const { revocation_policy } = plan
  return {
    name,
    description: "What agents buy in this world.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 100, currency: plan.currencies[0], label: "One of them" }] },
    accepted_channels,
    default_channel,
    fallback_channel,
    settlement_currency,
    qr_mode: "dynamic",
    endpoint,
    ...(revocation_policy !== undefined && { revocation_policy }),
  } as const
}

const offer = Effect.fnUntraced(function* (sellers: ReadonlyArray<Caller>, plan: ServicePlan) {
  const seller = sellers[plan.seller]
  if (seller === undefined) return yield* Effect.die(`No seller ${plan.seller} lives here.`)
  const manifest = yield* registerService(seller, {
    ...manifestOf(plan, plan.name, `https://seller-${plan.seller}.example/hooks`),
    tags: [],
  })
  yield* moveService(seller, manifest.id, "activate")
  return [plan.name, manifest.id] as const
})

/** Opens the accounts and registers the services. */
export const populate = Effect.fnUntraced(function* (stage: Stage) {
  const sellers = yield* Effect.forEach([0, 1, 2], (n) => settle("seller", `seller-${n}`))
  const buyers = yield* Effect.forEach([0, 1, 2, 3], (n) => settle("buyer", `buyer-${n}`))
  const stranger = yield* settle("buyer", "stranger")
  const offered = yield* Effect.forEach(SERVICES, (plan) => offer(sellers, plan))
  const receivers = yield* Effect.forEach(sellers, (seller, n) =>
    registerReceivers(stage, seller, n),
  )
  const population: Population = {
    sellers,
    receivers,
    buyers,
    stranger,
    services: new Map(offered),
  }
  return population
})
