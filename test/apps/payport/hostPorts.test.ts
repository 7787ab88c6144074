import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { randomBytes } from "node:crypto"
import { afterEach, expect, test } from "vitest"
import { INTAKE_LIMITS } from "../../../adapters/shared/Intake.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { sealingKey } from "../../../adapters/crypto/DataKeys.ts"
import { localKey } from "../../../adapters/crypto/masterKeys/localKey.ts"
import { vaultOver } from "../../../adapters/crypto/Vault.ts"
import { hostPorts } from "../../../apps/payport/hostPorts.ts"
import { memory } from "../../../apps/payport/memory.ts"
import * as ports from "../../../apps/payport/ports.ts"
import { StoreOption } from "../../../apps/payport/PayportOptions.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aShop, type Shop } from "./aShop.ts"

const never = Effect.never

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const open = async (said: object): Promise<Shop> => {
  const shop = await aShop({ store: memory(), log: false, ...said })
  closing.push(shop.payport.close)
  return shop
}

const { ContactRules, IdentityVerifier, Language, Messenger, QrReader, QrWriter } = ports
const { Ids, Rates, ReceiverAddress, Revoker, Vault, WallClock, WebhookSender } = ports
const KEYS = [ContactRules, IdentityVerifier, Language, Messenger, QrReader, QrWriter]
  .map(({ key }): string => key)
  .concat(
    [Ids, Rates, ReceiverAddress, Revoker, Vault, WallClock, WebhookSender].map(({ key }) => key),
  )

const BOUNDED = new Set<string>(
  [IdentityVerifier, Language, Messenger, Rates, Revoker, WebhookSender].map(({ key }) => key),
)

test("every port that has no option of its own is the host's, where one is given", async () => {
  const { payport } = await open({})
  const context = payport.context as Context.Context<never>
  const own = new Map(
    KEYS.map((key) => [key, { ...(context.mapUnsafe.get(key) as object) }] as const),
  )
  const other = await open({ ports: Layer.succeedContext(Context.makeUnsafe(own)) })
  const used = (other.payport.context as Context.Context<never>).mapUnsafe
  for (const [key, service] of own) {
    // Those that ask other systems are called through limits of time and form.
    if (BOUNDED.has(key)) expect(Object.keys(used.get(key) as object)).toEqual(Object.keys(service))
    else expect(used.get(key), key).toBe(service)
  }
})

test.each([
  ["waits", Effect.never],
  ["waits and cannot be interrupted", Effect.uninterruptible(Effect.never)],
])("a layer of the host that %s is given up, and told of", async (_, opening) => {
  const program = Effect.gen(function* () {
    const layer = Layer.effect(Rates, Effect.as(opening, Rates.of({ perDollar: () => never })))
    const built = yield* Effect.forkChild(Effect.flip(Layer.build(hostPorts(layer))))
    yield* TestClock.adjust("30 seconds")
    return yield* Fiber.join(built)
  })
  const refusal = await Effect.runPromise(
    program.pipe(Effect.scoped, Effect.provide(TestClock.layer())),
  )
  expect(refusal).toMatchObject({
    option: "ports",
    message: "The option ports did not open within 30 seconds: one of its layers waits.",
  })
})

test("a layer of the host that still opens ends with the start that waits for it", async () => {
  const program = Effect.gen(function* () {
    const ended = yield* Deferred.make<void>()
    const opening = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
    const layer = Layer.effect(Rates, Effect.as(opening, Rates.of({ perDollar: () => never })))
    const built = yield* Effect.forkChild(Layer.build(hostPorts(layer)))
    yield* Effect.sleep("20 millis")
    yield* Fiber.interrupt(built)
    return yield* Effect.timeout(Deferred.await(ended), "2 seconds")
  })
  await Effect.runPromise(Effect.scoped(program))
})

test("rates of the host's settle payments", async () => {
  const perDollar = (currency: string) =>
    Effect.succeed({ rate: currency === "USD" ? "1" : "4", as_of: Date.now() })
  const { buyer, order, payport, seller } = await open({
    ports: Layer.succeed(Rates, { perDollar }),
  })
  const amount = { currency: "EUR", value: 400 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  // 4 euros for a dollar, less 0.3 %.
  const { settlement } = await payport.intents.get(seller, id)
  expect(settlement).toMatchObject({ currency: "USD", value: 99 })
})

test("a verifier of the host's says whether a credential is somebody's", async () => {
  const asked: Array<object> = []
  const passed = () => Effect.succeed({ type: "passed" } as const)
  const verifier = Layer.succeed(IdentityVerifier, {
    confirmsCredential: (credential) => Effect.sync(() => asked.push(credential) > 0),
    checkFormat: passed,
    askAuthority: passed,
    matchIdentity: passed,
  })
  const { buyer, payport } = await open({ ports: verifier })
  const verification = await payport.kyc.verify(buyer, {
    agent_id: "ada",
    level: "basic",
    data: { email: "ada@example.com", phone: "+14155550123" },
    channel_credentials: { wallet_a_user_id: "2088-7" },
  })
  expect(asked).toEqual([{ channel: "wallet_a", credential: "2088-7", agent_id: "ada" }])
  expect(verification).toMatchObject({ friction_reduction_channels: ["wallet_a"] })
})

test("a revoker of the host's takes away what a refund revokes", async () => {
  let tell = (_id: string) => {}
  const revoked = new Promise<string>((resolve) => (tell = resolve))
  const revoke = ({ revocation }: { revocation: { target_id: string } }) =>
    Effect.sync(() => (tell(revocation.target_id), { type: "revoked" } as const))
  const { buyer, order, payport, seller } = await open({
    ports: Layer.succeed(Revoker, { revoke }),
  })
  const amount = { currency: "USD", value: 699 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  await payport.refunds.create(seller, {
    payment_intent: id,
    revoke: { targets: [{ type: "license_key", id: "key-1" }] },
  })
  expect(await revoked).toBe("key-1")
})

test("a revoker of the host's that answers something else has revoked nothing", async () => {
  let asked = 0
  // The body of another system's error, in place of an outcome.
  const revoke = () => Effect.sync(() => (asked++, { error: "unauthorized" } as never))
  const { buyer, order, payport, seller } = await open({
    ports: Layer.succeed(Revoker, { revoke }),
  })
  const amount = { currency: "USD", value: 699 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  const { id: refund } = await payport.refunds.create(seller, {
    payment_intent: id,
    revoke: { targets: [{ type: "license_key", id: "key-1" }] },
  })
  await payport.sandbox.advanceClock(buyer, { seconds: 3_600 })
  const { revocation_batch_status, revocations } = await payport.refunds.get(seller, refund)
  expect(revocation_batch_status).toBe("completed")
  expect(revocations).toMatchObject([{ target_id: "key-1", status: "failed" }])
  expect(asked).toBe(4)
})

test("a vault of the host's makes the hashes by which API keys are found", async () => {
  const key = sealingKey(randomBytes(6).toString("base64url"), randomBytes(32))
  const own = vaultOver({
    root: randomBytes(32),
    current: () => key,
    find: (id) => (id === key.id ? key : undefined),
    refresh: Effect.succeed(true),
  })
  let hashed = 0
  const sha256 = (content: string | Uint8Array) => (hashed++, own.sha256(content))
  const { buyer, keys, payport } = await open({ ports: Layer.succeed(Vault, { ...own, sha256 }) })
  expect(hashed).toBeGreaterThan(0)
  const found = await payport.accounts.authenticate(keys.buyer.key)
  expect(found.accountId).toBe(buyer.accountId)
})

test("a master key that is kept elsewhere wraps the keys of the store", async () => {
  const kept = localKey(randomBytes(32))
  let wrapped = 0
  const wrap: typeof kept.wrap = (name, bytes) => (wrapped++, kept.wrap(name, bytes))
  await open({ secrets: { masterKey: { ...kept, wrap } } })
  expect(wrapped).toBeGreaterThan(0)
})

test("carriers of the host's bring codes to people", async () => {
  const got: Array<unknown> = []
  const provider = createServer((request, response) => {
    void json(request).then((message) => {
      got.push(message)
      response.end()
    })
  })
  await once(provider.listen(0, "127.0.0.1"), "listening")
  closing.push(async () => provider.close())
  const { port } = provider.address() as AddressInfo
  const sms = { url: `http://127.0.0.1:${port}/sms`, secret: "0123456789abcdef" }
  // The mail server does not exist, but it is still used: the inbox stays empty.
  const smtp = { url: "smtp://127.0.0.1:1", from: "codes@shop.example" }
  const { buyer, payport } = await open({ carriers: { smtp, sms } })
  const verified = payport.kyc.verify(buyer, {
    agent_id: "ada",
    level: "basic",
    data: { email: "ada@example.com", phone: "+14155550123" },
  })
  await verified.catch(() => undefined)
  expect(got).toMatchObject([{ to: "+14155550123" }])
  expect((await payport.sandbox.listMessages(buyer)).data).toEqual([])
})

test.each([undefined, "a-key"])(
  "a call has as much time as a request, with the key %s",
  async (key) => {
    const left: Array<number> = []
    const understand = () =>
      Effect.map(CurrentDeadline, (deadline) => {
        left.push(deadline.left())
        return { intent: "unknown", confidence: 1, entities: {} } as const
      })
    const { buyer, payport } = await open({ ports: Layer.succeed(Language, { understand }) })
    const options = key === undefined ? {} : { idempotencyKey: key }
    await payport.language.answer(buyer, { query: "Hello." }, options)
    expect(left).toHaveLength(1)
    expect(left[0]).toBeGreaterThan(0)
    expect(left[0]).toBeLessThanOrEqual(INTAKE_LIMITS.within)
  },
)

test("the time of a call begins before its caller is found", async () => {
  const left: Array<number> = []
  const noting = new StoreOption((hook) =>
    Layer.effect(
      Store,
      Effect.map(Store, (store) => ({
        ...store,
        find: (kind, id) =>
          Effect.flatMap(CurrentDeadline, (deadline) => {
            if (kind === "account") left.push(deadline.left())
            return store.find(kind, id)
          }),
      })),
    ).pipe(Layer.provideMerge(memory().open(hook))),
  )
  const secrets = { masterKey: randomBytes(32).toString("base64") }
  const { buyer, payport } = await open({ store: noting, secrets })
  const caller = await payport.caller(buyer.accountId)
  left.length = 0
  await payport.intents.list(caller)
  expect(left.length).toBeGreaterThan(0)
  expect(Math.max(...left)).toBeLessThanOrEqual(INTAKE_LIMITS.within)
})
