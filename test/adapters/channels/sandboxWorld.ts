import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CallbackTransport } from "../../../adapters/channels/sandbox/CallbackTransport.ts"
import * as directTransport from "../../../adapters/channels/sandbox/directTransport.ts"
import { layer as sandboxLayer } from "../../../adapters/channels/sandbox/layer.ts"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import * as Ids from "../../../adapters/crypto/Ids.ts"
import * as VaultAdapter from "../../../adapters/crypto/Vault.ts"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { DatedRates } from "../../../adapters/fx/DatedRates.ts"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { denyList } from "../../../adapters/revokers/denyList.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { usualTerms } from "../../../core/terms/Terms.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { ChannelMessage } from "../../../core/gateway/ChannelCallback.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { receiveCallback } from "../../../core/dispatch/receiveCallback.ts"
import type { Documents } from "../../../core/ports/Documents.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { Revoker } from "../../../core/ports/Revoker.ts"
import { ResourceProbe } from "../../../core/ports/ResourceProbe.ts"
import { Sandbox, type SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { encodeCallback } from "../../../adapters/channels/codec.ts"
import { identity } from "../../support/identity.ts"
import { anAccount, aService, id, T0 } from "../../support/records.ts"
import { verified } from "../../support/verified.ts"
import { as } from "../../support/world.ts"
import { testClock } from "../../support/testClock.ts"

const key = new Uint8Array(32).fill(7)
const vault = makeVault(key)

const account = (n: number, agent: string) =>
  anAccount({
    n,
    agent_id: agent,
    webhook_secret: vault.seal(webhookSecretPlace(id("acct", n)), `whsec_${n}`),
  })

export const seller = as(account(1, "seller-agent"))
export const buyer = as({ ...account(2, "buyer-agent"), kind: "buyer" })
export const stranger = as({ ...account(3, "stranger-agent"), kind: "buyer" })

/** What the sandbox's channels sent, and how the way to the service is. */
export interface Line {
  /** The number of callbacks to lose before the next one arrives. */
  losing: number
  readonly sent: Array<{ readonly body: string; readonly status: number | null }>
}

export const makeLine = (): Line => ({ losing: 0, sent: [] })

/** The direct way to the core, which a test can cut. */
const over = (line: Line) =>
  Layer.effect(
    CallbackTransport,
    Effect.map(CallbackTransport, (direct) => ({
      post: Effect.fnUntraced(function* (channel, body, signature) {
        const lost = line.losing > 0
        if (lost) line.losing -= 1
        const answer = lost ? { status: null } : yield* direct.post(channel, body, signature)
        line.sent.push({ body: new TextDecoder().decode(body), ...answer })
        return answer
      }),
    })),
  ).pipe(Layer.provide(directTransport.layer))

const seed = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const accounts = [seller, buyer, stranger].map((caller) => caller.account)
    yield* (yield* Store).commit({
      writes: [
        ...accounts.map((record) => ({ op: "insert", kind: "account", record }) as const),
        {
          op: "insert",
          kind: "service",
          record: aService({ account_id: seller.account.id, default_channel: "wallet_a" }),
        },
        {
          op: "insert",
          kind: "service",
          record: aService({ n: 2, account_id: seller.account.id, default_channel: null }),
        },
      ],
      keys: accounts.map((record) => ({
        op: "claim",
        key: `agent:${record.agent_id}`,
        owner: record.id,
      })),
    })
    yield* verified(seller.account.id, seller.account.agent_id)
  }),
)

/** What outlives a restart. */
export const storage = Layer.mergeAll(MemoryStore.layer, MemoryDocuments.layer)

/** Everything but what outlives a restart: the core, its outside and the sandbox. */
export const process = (line: Line = makeLine()) =>
  sandboxLayer(over(line)).pipe(
    Layer.provideMerge(Layer.orDie(DatedRates())),
    Layer.provideMerge(
      Layer.mergeAll(
        Ids.layer,
        VaultAdapter.layer(Redacted.make(key)),
        Layer.succeed(Installation, {
          mode: "sandbox",
          base_url: "https://pay.test",
          catalog: defaultCatalog,
          currencies,
          terms: usualTerms,
          local_receivers: false,
        }),
        Layer.succeed(WebhookSender, {
          send: () => Effect.succeed({ status: 200, duration_ms: 1 }),
        }),
        Layer.succeed(ResourceProbe, {
          ask: () => Effect.succeed({ type: "silent", reason: "unreachable" }),
        }),
        Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
        Layer.succeed(Revoker, denyList),
        identity,
        testClock,
      ),
    ),
  )

const seeded = Layer.provide(seed, VaultAdapter.layer(Redacted.make(key)))

/** A sandbox with a seller, a buyer, a stranger and two services. */
export const sandboxWorld = <E>(
  line: Line = makeLine(),
  stored: Layer.Layer<Store | Documents, E> = storage,
) => Layer.provideMerge(process(line), Layer.provideMerge(seeded, stored))

const amount = { currency: "USD", value: 699 }

/** A payment by QR code, of service 1, or of service 2 which leaves the channel open. */
export const request = (service = 1) =>
  createIntent(seller, {
    service_id: aService({ n: service }).id,
    type: "one_time",
    amount,
    description: "One answer",
  })

/** A payment by deep link. */
export const oneTime = createOneTime(buyer, {
  service_id: aService().id,
  amount,
  description: "One answer",
  payer: { agent_id: buyer.account.agent_id },
})

export const simulate = (intent: string, action: SimulatedAction, caller = seller) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.simulate(caller, intent, action))

export const capture = (intent: string) => captureIntent(seller, intent)

export const statusOf = (intent: string) =>
  Effect.map(getIntent(seller, intent), ({ status }) => status)

export const later = (milliseconds: number) =>
  Effect.andThen(TestClock.adjust(milliseconds), runDue())

/** A callback as its channel would send it, signed with the channel's secret. */
export const signed = Effect.fnUntraced(function* (callback: ChannelMessage) {
  const channels = yield* (yield* Sandbox).channels()
  const secret = channels.find(({ channel }) => channel === callback.channel)!.secret
  const body = encodeCallback(callback)
  return { body, signature: vault.hmac(secret, body) }
})

/** Sends a callback that a tester has signed by hand. */
export const callBack = Effect.fnUntraced(function* (callback: ChannelMessage) {
  const { body, signature } = yield* signed(callback)
  return yield* receiveCallback(callback.channel, body, signature)
})
