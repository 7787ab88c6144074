import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { describe, expect, test } from "vitest"
import { defineChannel, gateway } from "../../../apps/payport/channels.ts"
import {
  type BeforeCommit,
  Failure,
  makePayport,
  PayportOptionsError,
  usualTerms,
} from "../../../apps/payport/index.ts"
import { memory, type MemoryTransaction } from "../../../apps/payport/memory.ts"
import { Messenger, QrReader, Store, StoreOption } from "../../../apps/payport/ports.ts"
import { postgres } from "../../../apps/payport/postgres.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { emptyDatabase } from "../../support/postgres.ts"
import { aBank, entry } from "./aBank.ts"
import { aService, aShop } from "./aShop.ts"
import { aDatabase } from "./stores.ts"

const right = { store: memory(), channels: sandbox() }
const bank = {
  channel: "wallet_a",
  baseUrl: "https://bank.example/payport",
  keyId: "payport",
  secret: "b8Qz!k2v9Xw4#mTnR7pL",
  callbackSecret: "q3Hd$y6Jc1&sVfGe5uKo",
}
const live = (said: object = {}) => ({
  ...right,
  channels: [gateway(bank)],
  baseUrl: "https://pay.example",
  ...said,
})
const { definition } = aBank()
const own = (said: object = {}) => live({ channels: [defineChannel({ ...definition, ...said })] })
const withEntry = (said: object) => own({ channel: { ...entry, ...said } })
const fee = usualTerms.fees.one_time
const plan = usualTerms.plans.pro
const withFees = (fees: object) => ({ ...right, terms: { fees } })
const withLimits = (limits: object) => ({ ...right, terms: { limits } })
const hook = { consumer: "orders", handle: () => undefined }
const closed = "postgresql://nobody:none@127.0.0.1:1/payport"

const throwBoom = (): never => {
  throw boom
}

const refusal = async (options: unknown): Promise<unknown> => {
  try {
    await (await makePayport(options as never)).close()
    return undefined
  } catch (error) {
    return error
  }
}

test.each<[string, unknown, string, string]>([
  ["nothing", undefined, "store", "makePayport({ store, channels })"],
  ["no store", { channels: sandbox() }, "store", "payport/memory"],
  ["a store of another make", { ...right, store: { layer: {} } }, "store", "payport/postgres"],
  ["no channels", { store: memory() }, "channels", "payport/sandbox"],
  ["an empty list of channels", { ...right, channels: [] }, "channels", "list of channels"],
  ["a channel that is none", live({ channels: ["wallet_a"] }), "channels.0", "gateway("],
  [
    "a channel that nobody knows",
    live({ channels: [gateway({ ...bank, channel: "purse" })] }),
    "channels.0.channel",
    "wallet_a",
  ],
  [
    "a channel twice",
    live({ channels: [gateway(bank), gateway(bank)] }),
    "channels",
    "has wallet_a twice",
  ],
  ["an own channel of nothing", live({ channels: [defineChannel(5 as never)] }), "channels.0", "("],
  ["an own channel without a capture", own({ capture: 1 }), "channels.0.capture", "function"],
  ["a codec that verifies nothing", own({ codec: {} }), "channels.0.codec.verify", "function"],
  ["debits that cannot end", own({ debits: {} }), "channels.0.debits.debit", "function"],
  ["an own channel with more", own({ void: 1 }), "channels.0.void", "release"],
  ["an own channel that waits long", own({ timeoutMs: 9_001 }), "channels.0.timeoutMs", "9000"],
  ["links without a flag", own({ createDeepLink: () => {} }), "channels.0.createDeepLink", "deep"],
  ["no links with a flag", withEntry({ deep_links: true }), "channels.0.createDeepLink", "deep"],
  ["no entry", own({ channel: "own_bank" }), "channels.0.channel", "an object with id"],
  ["a name that is none", withEntry({ id: "Own Bank" }), "channels.0.channel.id", "letters"],
  ["a name that means any", withEntry({ id: "auto" }), "channels.0.channel.id", "auto"],
  ["no kind", withEntry({ kind: "bank" }), "channels.0.channel.kind", "bank_linked"],
  [
    "a fee of a fraction",
    withEntry({ network_fee_basis_points: 12.5 }),
    "channels.0.channel.network_fee_basis_points",
    "",
  ],
  [
    "no currency",
    withEntry({ currencies: [] }),
    "channels.0.channel.currencies",
    "must not be empty",
  ],
  [
    "a refund that is never",
    withEntry({ refunds: { ...entry.refunds, window_days: -1 } }),
    "channels.0.channel.refunds.window_days",
    "0",
  ],
  ["an entry with more", withEntry({ fee: 1 }), "channels.0.channel.fee", "network_fee"],
  ["terms that are none", { ...right, terms: 5 }, "terms", "object"],
  ["terms of what is none", { ...right, terms: { fee: {} } }, "terms.fee", "fees"],
  ["a fee of what is none", withFees({ gift: {} }), "terms.fees.gift", "one_time"],
  [
    "a fee without a spread",
    withFees({ one_time: { service: 5 } }),
    "terms.fees.one_time.spread",
    "",
  ],
  [
    "a fee in percent",
    withFees({ one_time: { ...fee, service: 0.5 } }),
    "terms.fees.one_time.service",
    "",
  ],
  [
    "a fee below nothing",
    withFees({ one_time: { ...fee, service: -1 } }),
    "terms.fees.one_time.service",
    "0",
  ],
  [
    "a spread of all",
    withFees({ one_time: { ...fee, spread: { low: 10_000, middle: 0, high: 0 } } }),
    "terms.fees.one_time.spread.low",
    "9999",
  ],
  [
    "a fee with more",
    withFees({ one_time: { ...fee, fixed: 30 } }),
    "terms.fees.one_time.fixed",
    "",
  ],
  [
    "a limit in cents",
    withLimits({ basic: { per_transaction: 99.99, daily: 1_000 } }),
    "terms.limits.basic.per_transaction",
    "",
  ],
  [
    "a day below a payment",
    withLimits({ basic: { per_transaction: 100, daily: 99 } }),
    "terms.limits.basic.daily",
    "per_transaction",
  ],
  [
    "a level below the lower",
    withLimits({ enhanced: { per_transaction: 1, daily: 9_000 } }),
    "terms.limits.enhanced.per_transaction",
    "below",
  ],
  [
    "a plan of no channels",
    { ...right, terms: { plans: { pro: { ...plan, channels: 0 } } } },
    "terms.plans.pro.channels",
    "1",
  ],
  [
    "a plan of a new name",
    { ...right, terms: { plans: { gold: plan } } },
    "terms.plans.gold",
    "starter",
  ],
  [
    "use that costs text",
    { ...right, terms: { usage: { "fx-quote": { unit_price: "1", free: {} } } } },
    "terms.usage.fx-quote.unit_price",
    "",
  ],
  [
    "a sandbox of what is none",
    { ...right, channels: sandbox({ simulated: ["purse"] }) },
    "channels.simulated.0",
    "wallet_a",
  ],
  [
    "a sandbox with more",
    { ...right, channels: sandbox({ catalog: [] } as object) },
    "channels.catalog",
    "simulated",
  ],
  [
    "a gateway whose secrets are one",
    live({ channels: [gateway({ ...bank, callbackSecret: bank.secret })] }),
    "channels.0.callbackSecret",
    "has to differ from secret",
  ],
  [
    "a gateway that anybody reads",
    live({ channels: [gateway({ ...bank, baseUrl: "http://bank.example" })] }),
    "channels.0.baseUrl",
    "https",
  ],
  [
    "a secret that is none",
    live({ channels: [gateway({ ...bank, secret: "aaaaaaaaaaaaaaaaaaaa" })] }),
    "channels.0.secret",
    "random",
  ],
  [
    "a timeout beyond a job's time",
    live({ channels: [gateway({ ...bank, timeoutMs: 60_000 })] }),
    "channels.0.timeoutMs",
    "9000",
  ],
  ["no base URL in live mode", live({ baseUrl: undefined }), "baseUrl", "https://pay.example"],
  ["a base URL with a slash", { ...right, baseUrl: "https://pay.example/" }, "baseUrl", "slash"],
  ["a clock that is none", { ...right, clock: Date.now }, "clock", "now"],
  ["a clock that stands still", { ...right, clock: { now: 5 } }, "clock.now", "function"],
  ["a clock without a time", { ...right, clock: { now: () => NaN } }, "clock.now", "function"],
  ["a clock of dates", { ...right, clock: { now: () => new Date() } }, "clock.now", "function"],
  ["a key that is too short", { ...right, secrets: { masterKey: "a" } }, "secrets.masterKey", "32"],
  ["no key for a database", { ...right, store: postgres({ url: closed }) }, "secrets", "masterKey"],
  [
    "a hook without a name",
    { ...right, onEvent: { handle: () => {} } },
    "onEvent.consumer",
    "name",
  ],
  [
    "a hook that is no function",
    { ...right, onEvent: { ...hook, handle: 1 } },
    "onEvent.handle",
    "",
  ],
  ["two hooks of one name", { ...right, onEvent: [hook, hook] }, "onEvent.consumer", "twice"],
  [
    "a part in commits of no kind",
    { ...right, beforeCommit: { kinds: ["key"], run: () => {} } },
    "beforeCommit",
    "payment_intent",
  ],
  ["a retention that is too short", { ...right, retention: { event: 1 } }, "retention.event", "7"],
  ["a retention of nothing", { ...right, retention: { events: 9 } }, "retention.events", "event"],
  ["a hold of nothing", { ...right, holdReturns: {} }, "holdReturns", "createdBefore"],
  [
    "a hold before no time",
    { ...right, holdReturns: { createdBefore: new Date(NaN) } },
    "holdReturns",
    "a Date",
  ],
  [
    "a hold of what are no payments",
    { ...right, holdReturns: { payments: ["acct_1"] } },
    "holdReturns",
    "payments",
  ],
  [
    "a hold of two kinds",
    { ...right, holdReturns: { payments: [], createdBefore: new Date() } },
    "holdReturns",
    "or",
  ],
  ["ports that are none", { ...right, ports: {} }, "ports", "Layer"],
  [
    "a port that has an option",
    { ...right, ports: Layer.succeed(Store, {} as never) },
    "ports",
    "given by the option store",
  ],
  [
    "ports that do not open",
    { ...right, ports: Layer.effectDiscard(Effect.die("Shut.")) },
    "ports",
    "Shut.",
  ],
  ["carriers that are none", { ...right, carriers: "smtp" }, "carriers", "smtp, sms"],
  ["a carrier that is none", { ...right, carriers: { fax: {} } }, "carriers.fax", "smtp, sms"],
  [
    "mail without a sender",
    { ...right, carriers: { smtp: { url: "smtp://localhost" } } },
    "carriers.smtp.from",
    "address",
  ],
  [
    "mail over HTTP",
    { ...right, carriers: { smtp: { url: "http://a", from: "a@b.example" } } },
    "carriers.smtp.url",
    "smtps",
  ],
  [
    "text messages in the open",
    { ...right, carriers: { sms: { url: "http://sms.example", secret: "0123456789abcdef" } } },
    "carriers.sms.url",
    "https",
  ],
  [
    "text messages nobody signs",
    { ...right, carriers: { sms: { url: "https://sms.example", secret: "a" } } },
    "carriers.sms.secret",
    "16",
  ],
  [
    "a carrier with more",
    { ...right, carriers: { sms: { token: "a" } } },
    "carriers.sms.token",
    "url, secret",
  ],
  [
    "a kept key that cannot unwrap",
    { ...right, secrets: { masterKey: { id: "mk_0123456789abcdef", wrap: () => {} } } },
    "secrets.masterKey",
    "unwrap",
  ],
  ["rate limits that are none", { ...right, rateLimits: "no" }, "rateLimits", "true or false"],
  ["work that is none", { ...right, work: 1 }, "work", "true or false"],
  ["a log that is none", { ...right, log: "console" }, "log", "function"],
  ["an option that is not known", { ...right, sandbox: true }, "sandbox", "The options are"],
])("%s is refused by name", async (_name, options, option, hint) => {
  const error = await refusal(options)
  expect(error).toBeInstanceOf(PayportOptionsError)
  expect(error).toMatchObject({ option, message: expect.stringContaining(hint) as string })
})

const secrets = { masterKey: randomBytes(32) }

test.each<[string, object, string, string]>([
  ["nothing", {}, "store.url", "postgresql://"],
  ["a URL of another database", { url: "mysql://host/db" }, "store.url", "postgresql://"],
  ["a schema of PostgreSQL's own", { url: closed, schema: "pg_pay" }, "store.schema", "PostgreSQL"],
  ["a pool of other clients", { pool: { connect: () => ({}) } }, "store", "like those of pg"],
  ["a pool that is none", { pool: {} }, "store.pool", "pg"],
  ["a pool and a URL", { url: closed, pool: { connect: () => {} } }, "store.pool", "one of them"],
  ["a direct URL that is none", { url: closed, directUrl: 5 }, "store.directUrl", "postgresql://"],
  ["replicas that are no list", { url: closed, replicaUrls: closed }, "store.replicaUrls", "list"],
  [
    "a replica that is none",
    { url: closed, replicaUrls: [5] },
    "store.replicaUrls",
    "postgresql://",
  ],
  ["an option that is not known", { url: closed, host: "db" }, "store.host", "url"],
  ["a database that is out of reach", { url: closed }, "store", "127.0.0.1:1"],
])("of postgres() %s is refused by name", async (_name, said, option, hint) => {
  const store = postgres(said as never)
  const error = await refusal({ store, channels: sandbox(), secrets, log: false })
  expect(error).toBeInstanceOf(PayportOptionsError)
  expect(error).toMatchObject({ option, message: expect.stringContaining(hint) as string })
  expect((error as Error).message).not.toContain("none@")
})

const boom = new Error("The file is locked.")

test.each<[string, () => unknown, string, object]>([
  ["throws", () => throwBoom(), "did not open: The file is locked.", { cause: boom }],
  ["dies", () => Layer.effectContext(Effect.die(boom)), "file is locked", { cause: boom }],
  ["fails", () => Layer.effectContext(Effect.fail(boom)), "The file is locked.", {}],
  ["is no layer", () => ({}), "did not open", {}],
  ["provides too little", () => Layer.empty, "provides no payport/core/ports/Store", {}],
])("a store of the host that %s is refused by name", async (_name, open, hint, more) => {
  const store = new StoreOption(open as never, { endsWithProcess: true })
  const error = await refusal({ store, channels: sandbox(), log: false })
  expect(error).toBeInstanceOf(PayportOptionsError)
  expect(error).toMatchObject({
    option: "store",
    message: expect.stringContaining(hint) as string,
    ...more,
  })
})

describe("what is given is used", () => {
  test("the store may be chosen at run time, and a hook then looks what it gets", async () => {
    const choose = (url: string | undefined) => (url === undefined ? memory() : postgres({ url }))
    const seen: Array<boolean> = []
    const payport = await makePayport({
      store: choose(undefined),
      channels: sandbox(),
      beforeCommit: {
        kinds: ["service"],
        run: (_, tools) => void seen.push("onStored" in tools),
      },
      log: false,
    })
    const { id } = await payport.accounts.create({ name: "S", kind: "seller", agent_id: "s" })
    await payport.services.create(await payport.caller(id), { ...aService, name: "Papers" })
    await payport.close()
    expect(seen).toEqual([true])
  })

  test("a live payport has the host's channels, and no sandbox", async () => {
    const payport = await makePayport({ ...live(), work: false, log: false })
    const kind = "buyer"
    const { id } = await payport.accounts.create({ name: "Ada", kind, agent_id: "ada" })
    const { data } = await payport.channels.list(await payport.caller(id))
    expect(data.map(({ channel }) => channel)).toEqual(["wallet_a"])
    expect(payport).not.toHaveProperty("sandbox")
    await payport.close()
  })

  test("a clock, and a port in the place of one that comes along", async () => {
    const now = Date.UTC(2027, 0, 31)
    const read = () => Effect.succeed({ format: "png" as const, codes: [] })
    const ports = Layer.succeed(QrReader, { read })
    const shop = await aShop({ store: memory(), clock: { now: () => now }, ports, log: false })
    const account = await shop.payport.accounts.get(shop.buyer.accountId)
    expect(account.created_at).toBe("2027-01-31T00:00:00.000Z")
    const reading = shop.payport.language.readQr(shop.buyer, { image: "aGVsbG8=" })
    await expect(reading).rejects.toMatchObject({ code: "QR_NOT_FOUND" })
    await shop.payport.close()
  })

  test("ports of the host's in live mode, whose identity takes the place of ours too", async () => {
    const sent: Array<string> = []
    const ports = Layer.succeed(Messenger, {
      channels: new Set(["email", "sms"] as const),
      send: ({ channel }) => Effect.sync(() => void sent.push(channel)),
    })
    const payport = await makePayport({ ...live(), ports, work: false, log: false })
    const { id } = await payport.accounts.create({ name: "Ada", kind: "buyer", agent_id: "ada" })
    const asked = await payport.kyc.verify(await payport.caller(id), {
      agent_id: "ada",
      level: "basic",
      data: { email: "ada@example.com", phone: "+14155550123" },
    })
    expect(asked).toMatchObject({ agent_id: "ada" })
    expect(sent.toSorted()).toEqual(["email", "sms"])
    await payport.close()
  })

  test("a part in commits, which adds what is the host's own, or refuses", async () => {
    const orders: Array<string> = []
    const beforeCommit: BeforeCommit<MemoryTransaction> = {
      kinds: ["payment_intent"],
      run: ({ records }, { onStored }) => {
        for (const { id, kind, record } of records) {
          if (kind === "payment_intent" && record.amount.value > 500) throw tooMuch
          onStored(() => void orders.push(id))
        }
      },
    }
    const message = "Ask for less."
    const tooMuch = new Failure({ code: "FORBIDDEN", message })
    const { buyer, order, payport } = await aShop({ store: memory(), beforeCommit, log: false })
    const create = (value: number) =>
      payport.intents.create(buyer, { ...order, amount: { currency: "USD", value } })
    const { id } = await create(500)
    await expect(create(501)).rejects.toMatchObject({ code: "FORBIDDEN", message })
    expect(orders).toEqual([id])
    expect((await payport.intents.list(buyer)).data).toHaveLength(1)
    await payport.close()
  })

  test("two payports in two schemas of one database know nothing of each other", async () => {
    const { drop, options } = await aDatabase(emptyDatabase)
    const [one, other] = [await aShop(options("one")), await aShop(options("other"))]
    expect((await one.payport.accounts.list()).data).toHaveLength(2)
    const stranger = other.payport.caller(one.buyer.accountId)
    await expect(stranger).rejects.toMatchObject({ code: "NOT_FOUND" })
    await Promise.all([one.payport.close(), other.payport.close()])
    await drop()
  })

  test("a database under another master key is not opened", async () => {
    const { drop, options } = await aDatabase()
    await (await aShop({ ...options(), work: false, log: false })).payport.close()
    const other = { ...options(), secrets, channels: sandbox(), log: false as const }
    expect(await refusal(other)).toMatchObject({ option: "secrets.masterKey" })
    await drop()
  })
})
