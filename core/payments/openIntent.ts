import { Effect, Result } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import * as Channel from "../channels/Channel.ts"
import {
  type Health,
  type Route,
  route,
  type RouteRequest,
  temporarilyUnavailable,
  usable,
} from "../channels/Routing.ts"
import type { Install } from "../installs/Install.ts"
import { channelTooHigh } from "../kyc/limits/Gate.ts"
import { atLeast, type KycLevel } from "../kyc/limits/Level.ts"
import { type KnownSpender, spenderOf } from "../kyc/agents/spenderOf.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"

/** The service that is to be paid, with the account that is paid for it. */
export interface Payable {
  readonly service: ServiceManifest
  readonly payee: Account
}

const notActive = (service: ServiceManifest): Failure =>
  new Failure({
    code: "SERVICE_NOT_ACTIVE",
    message: `The service is ${service.status}; only active services take new payments.`,
    details: { service_id: service.id, status: service.status },
  })

/**
 * The active service of that id. A draft or deleted one does not exist for strangers.
 *
 * Fails with `NOT_FOUND` and `SERVICE_NOT_ACTIVE`.
 */
export const findPayable = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
): Effect.fn.Return<Payable, Failure | StoreUnavailable, Store> {
  if (!isUuid(serviceId)) return yield* notFound("service", serviceId)
  const store = yield* Store
  const service = yield* store.find("service", serviceId)
  if (service === undefined) return yield* notFound("service", serviceId)
  const hidden = service.status === "draft" || service.status === "deleted"
  if (hidden && service.account_id !== caller.account.id) {
    return yield* notFound("service", serviceId)
  }
  if (service.status !== "active") return yield* notActive(service)
  const payee = yield* store.find("account", service.account_id)
  if (payee === undefined) return yield* notFound("service", serviceId)
  return { service, payee }
})

const unservedCurrency = (currency: string): Failure =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `None of the service's channels takes the currency ${currency}.`,
    field: "amount.currency",
    details: {
      field: "amount.currency",
      value: currency,
      constraint: "must be an ISO 4217 currency that a channel of the service takes",
    },
  })

/**
 * Refuses a currency that no standard knows or that none of the service's channels takes.
 *
 * Fails with `INVALID_AMOUNT`.
 */
export const checkCurrency = (service: ServiceManifest, { currency }: Money) =>
  Effect.flatMap(Installation, ({ catalog, currencies }) => {
    const served =
      currencies.has(currency) &&
      catalog.some(
        (channel) =>
          service.accepted_channels.includes(channel.id) && Channel.serves(channel, currency),
      )
    return served ? Effect.void : Effect.fail(unservedCurrency(currency))
  })

/** Who pays, and the account that this agent belongs to. */
export interface NamedPayer {
  readonly account_id: string | null
  readonly agent_id: string | null
  readonly human_id: string | null
  /** Who the limits are counted for; null when nobody in particular is named. */
  readonly spender: KnownSpender | null
}

const forbiddenAgent = (): Failure =>
  new Failure({
    code: "FORBIDDEN",
    message: "A buyer's key can name only agents of its own account as the payer.",
    field: "payer.agent_id",
  })

/**
 * The payer of a new payment. A buyer pays as its own agent unless it names another of its own; a
 * seller may name any agent, or nobody in particular.
 *
 * Fails with `FORBIDDEN`.
 */
export const namePayer = Effect.fnUntraced(function* (
  caller: Caller,
  payer: { readonly agent_id?: string; readonly human_id?: string } = {},
): Effect.fn.Return<NamedPayer, Failure | StoreUnavailable, Store | Vault> {
  const { account } = caller
  const human_id = payer.human_id ?? null
  const agent_id = payer.agent_id ?? (account.kind === "buyer" ? account.agent_id : null)
  if (agent_id === null) return { account_id: null, agent_id, human_id, spender: null }
  const owner = agent_id === account.agent_id ? account.id : yield* ownerOf(caller, agent_id)
  const spender = yield* spenderOf(owner ?? account.id, agent_id)
  return { account_id: owner, agent_id, human_id, spender }
})

/** The account that another's agent belongs to; null where a seller names one that nobody has. */
const ownerOf = Effect.fnUntraced(function* ({ account }: Caller, agentId: string) {
  const other = yield* (yield* Store).findAccountByAgent(agentId)
  if (account.kind === "seller") return other?.id ?? null
  return other === undefined ? account.id : yield* forbiddenAgent()
})

/** The state of every channel that the service accepts, save those that have just refused. */
const healthOf = Effect.fnUntraced(function* (
  service: Pick<ServiceManifest, "accepted_channels">,
  refused: ReadonlyMap<string, Health>,
) {
  const channels = yield* Channels
  const accepted = service.accepted_channels
  const health: Array<Health> = []
  for (const id of accepted) health.push(refused.get(id) ?? (yield* channels.health(id)))
  return (id: string): Health => health[accepted.indexOf(id)] ?? "down"
})

/**
 * Chooses the payment's channel among those that are open to the payer's level. Where nobody in
 * particular is named, the payer who authorizes is known to the channel, and all of them are.
 *
 * Fails with the refusals of routing, and with `INSUFFICIENT_KYC` for a channel that was asked for
 * and is not open to the payer.
 */
export const chooseChannel = Effect.fnUntraced(function* (
  service: ServiceManifest,
  wanted: Pick<RouteRequest, "requested" | "currency" | "needsDeepLinks">,
  refused: ReadonlyMap<string, Health>,
  payer: {
    readonly amount: Money
    readonly level: KycLevel
    readonly detected: ReadonlyArray<string>
    readonly install: Pick<Install, "channel_preference"> | undefined
  },
): Effect.fn.Return<Route, Failure, Channels | Installation> {
  const { base_url, catalog } = yield* Installation
  const { detected, install, level } = payer
  const asked = Channel.find(catalog, wanted.requested ?? "")
  const accepted = asked !== undefined && service.accepted_channels.includes(asked.id)
  if (accepted && !atLeast(level, asked.kyc_level)) {
    return yield* channelTooHigh({ ...payer, base_url }, asked.id, asked.kyc_level)
  }
  const routed = route({
    ...wanted,
    preference: install?.channel_preference ?? undefined,
    detected,
    service,
    catalog,
    level,
    health: yield* healthOf(service, refused),
  })
  return yield* Result.isSuccess(routed)
    ? Effect.succeed(routed.success)
    : Effect.fail(routed.failure)
})

const noChannel = (currency: string, channels: ReadonlyArray<string>): Failure =>
  new Failure({
    code: "CHANNEL_UNAVAILABLE",
    message: `None of these channels takes ${currency} from this payer.`,
    details: { channel: null, accepted_channels: channels },
  })

/**
 * The channels among `accepted` that can take a payment of that level now, the best first.
 *
 * Fails with `CHANNEL_UNAVAILABLE` and `CHANNEL_TEMPORARILY_UNAVAILABLE`.
 */
export const usableChannels = Effect.fnUntraced(function* (
  accepted: ReadonlyArray<string>,
  payment: {
    readonly level: KycLevel
    readonly settlement_currency: string
    readonly currency: string
  },
) {
  const { catalog } = yield* Installation
  const { currency, level, settlement_currency } = payment
  const none = { default_channel: null, fallback_channel: null }
  const service = { accepted_channels: accepted, settlement_currency, ...none }
  const health = yield* healthOf(service, new Map())
  const { fit, up } = usable({
    requested: undefined,
    currency,
    needsDeepLinks: false,
    preference: undefined,
    detected: [],
    service,
    catalog,
    level,
    health,
  })
  if (fit.length === 0) return yield* noChannel(currency, accepted)
  if (up.length === 0) {
    return yield* temporarilyUnavailable(
      null,
      fit.map(({ id }) => health(id)),
    )
  }
  return up
})
