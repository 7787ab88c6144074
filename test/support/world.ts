import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as VaultAdapter from "../../adapters/crypto/Vault.ts"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { DatedRates } from "../../adapters/fx/DatedRates.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import type { Account, Caller } from "../../core/accounts/Account.ts"
import { denyList } from "../../adapters/revokers/denyList.ts"
import { sandbox } from "../../adapters/revokers/sandbox.ts"
import { usualTerms } from "../../core/terms/Terms.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { ChannelCallback, TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import { receiveCallback } from "../../core/dispatch/receiveCallback.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { ResourceProbe } from "../../core/ports/ResourceProbe.ts"
import { Revoker } from "../../core/ports/Revoker.ts"
import { Store } from "../../core/ports/Store.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { isFailure } from "../../core/shared/Failure.ts"
import { identity } from "./identity.ts"
import { anAccount, aService, T0, uuid } from "./records.ts"
import { verified } from "./verified.ts"
import { type Script, scriptedChannels, SIGNATURE } from "./scriptedChannels.ts"

const ids = Layer.sync(Ids, () => {
  let n = 1_000
  return { uuid: () => uuid(n++) }
})

const installation = Layer.succeed(Installation, {
  mode: "sandbox",
  base_url: "https://pay.test",
  catalog: defaultCatalog,
  currencies,
  terms: usualTerms,
  local_receivers: false,
})

const UNREACHABLE = { type: "silent", reason: "unreachable" } as const

/** The core over the memory store, with channels that follow the script. */
export const world = (script: Script) =>
  Layer.mergeAll(
    MemoryStore.layer,
    ids,
    scriptedChannels(script),
    VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7))),
    DatedRates(),
    Layer.succeed(Revoker, sandbox(denyList)),
    identity,
    Layer.succeed(ResourceProbe, { ask: () => Effect.succeed(UNREACHABLE) }),
    Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
  ).pipe(Layer.provideMerge(installation))

/** The seller of service 1, a buyer, and another account. */
export const seller: Account = anAccount({ n: 1, kind: "seller" })
export const buyer: Account = anAccount({ n: 2, kind: "buyer", agent_id: "buyer-agent" })
export const stranger: Account = anAccount({ n: 3, kind: "buyer", agent_id: "stranger-agent" })

export const as = (account: Account): Caller => ({ account, api_key_id: "key" })

/**
 * Fills the store with the three accounts and the service, and sets the clock to T0. All
 * three agents are verified as business.
 */
export const seed = (said: Parameters<typeof aService>[0] = {}) =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(T0)
    const service = aService({ n: 1, account_id: seller.id, status: "active", ...said })
    yield* store.commit({
      writes: [
        { op: "insert", kind: "account", record: seller },
        { op: "insert", kind: "account", record: buyer },
        { op: "insert", kind: "account", record: stranger },
        { op: "insert", kind: "service", record: service },
      ],
      keys: [seller, buyer, stranger].map(({ id, agent_id }) => ({
        op: "claim",
        key: `agent:${agent_id}`,
        owner: id,
      })),
    })
    for (const one of [seller, buyer, stranger]) yield* verified(one.id, one.agent_id)
    return service
  })

/** A callback of the payment's channel, as the scripted channels send it. */
export const callback = (
  said: Partial<ChannelCallback> & { readonly out_trade_no: string },
): ChannelCallback => ({
  channel: "wallet_a",
  trade_no: "trade-1",
  total_amount: "6.99",
  trade_status: "SCANNED",
  ...said,
})

/** Delivers a callback over the core's own entrance. */
export const deliver = (message: ChannelCallback, signature: string = SIGNATURE) =>
  receiveCallback(message.channel, new TextEncoder().encode(JSON.stringify(message)), signature)

/** Delivers one status after another for a payment. */
export const walk = (id: string, ...statuses: ReadonlyArray<TradeStatus>) =>
  Effect.forEach(statuses, (trade_status) =>
    deliver(callback({ out_trade_no: id, trade_status, payer_id: "hum-1", wallet_id: "wal-1" })),
  )

/** The code that an effect was refused with. */
export const codeOf = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(self), (exit) => {
    if (Exit.isSuccess(exit)) return "succeeded"
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
    return isFailure(failure) ? failure.code : `not a Failure: ${String(exit.cause)}`
  })
