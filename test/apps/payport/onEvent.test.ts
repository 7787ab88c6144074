import { Context, Effect } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { EventHook, PayportEvent } from "../../../apps/payport/index.ts"
import { Store } from "../../../core/ports/Store.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { aShop, type Shop } from "./aShop.ts"
import { aDatabase, STORES } from "./stores.ts"

/** A payment that its payer has rejected: it has failed, which both accounts are told. */
const failedPayment = async ({ buyer, order, payport }: Shop): Promise<string> => {
  const amount = { currency: "USD", value: 100 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  await payport.sandbox.simulate(buyer, id, { action: "reject" })
  return id
}

const settledPayment = async ({ buyer, order, payport, seller }: Shop): Promise<string> => {
  const amount = { currency: "USD", value: 100 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  await payport.sandbox.advanceClock(buyer, { seconds: 5 })
  return id
}

const pass = (shop: Shop, seconds: number) =>
  shop.payport.sandbox.advanceClock(shop.buyer, { seconds })

/** A hook that records its events, and runs `act`. */
const noting = (act: (event: PayportEvent) => unknown = () => undefined) => {
  const told: Array<PayportEvent> = []
  const hook: EventHook = {
    consumer: "orders",
    handle: (event) => {
      told.push(event)
      return act(event)
    },
  }
  return {
    told,
    hook,
    ids: (about: string) => told.filter((e) => e.subject_id === about).map((e) => e.id),
  }
}

describe.each(STORES)("on %s", (_name, make) => {
  const shopWith = async (onEvent: EventHook | ReadonlyArray<EventHook>) => {
    const { drop, options } = await make()
    const shop = await aShop<unknown>({ ...options(), onEvent, work: false, log: false })
    onTestFinished(async () => {
      await shop.payport.close()
      await drop()
    })
    return shop
  }

  test("every event comes once, those of a payment and its refund in their order", async () => {
    const { hook, told } = noting()
    const shop = await shopWith(hook)
    const id = await settledPayment(shop)
    const amount = { currency: "USD", value: 30 }
    await shop.payport.refunds.create(shop.seller, { payment_intent: id, amount })
    await pass(shop, 30)
    const mine = told.filter(({ account_id }) => account_id === shop.seller.accountId)
    expect(mine.map(({ type }) => type)).toEqual(["payment_intent.succeeded", "refund.succeeded"])
    expect(mine[0]?.data).toMatchObject({ id })
    const { data } = await shop.payport.events.list(shop.seller)
    const log = data.filter(({ type }) => !type.startsWith("webhook."))
    expect(log.map((event) => event.id).toReversed()).toEqual(mine.map((event) => event.id))
    await pass(shop, 3_600)
    expect(new Set(told.map((event) => event.id)).size).toBe(told.length)
  })

  test("one that fails comes again, those behind it after it, and no other waits", async () => {
    let fails = true
    const { hook, ids, told } = noting((event) => {
      if (fails && event.subject_id === first) throw new Error("not now")
    })
    let first = ""
    const shop = await shopWith(hook)
    const { buyer, order, payport } = shop
    const amount = { currency: "USD", value: 100 }
    first = (await payport.intents.create(buyer, { ...order, amount })).id
    await payport.sandbox.simulate(buyer, first, { action: "reject" })
    const other = await failedPayment(shop)
    await pass(shop, 40)
    const [tried] = ids(first)
    expect(new Set(ids(first))).toEqual(new Set([tried]))
    expect(ids(first)).toHaveLength(4)
    expect(ids(other)).toHaveLength(2)
    fails = false
    await pass(shop, 120)
    expect(new Set(ids(first)).size).toBe(2)
    const count = told.length
    await pass(shop, 7_200)
    expect(told).toHaveLength(count)
  })

  test.each<[string, () => unknown]>([
    ["a value", () => 5],
    [
      "what throws when it is looked at",
      () => ({
        get id() {
          throw new Error("no")
        },
      }),
    ],
    ["a function", () => () => undefined],
    [
      "a circle",
      () => {
        const circle: Array<unknown> = []
        circle.push(circle)
        return circle
      },
    ],
  ])("one that returns %s has had its event", async (_what, answer) => {
    const { hook, ids } = noting(answer)
    const shop = await shopWith(hook)
    const id = await failedPayment(shop)
    await pass(shop, 7_200)
    expect(ids(id)).toHaveLength(2)
    expect(new Set(ids(id)).size).toBe(2)
  })

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no error", "not now"],
    [
      "what throws when it is read",
      {
        get message() {
          throw new Error("no")
        },
      },
    ],
  ])("one that throws %s has its event again", async (_what, thrown) => {
    let fails = true
    const { hook, ids } = noting(() => {
      if (fails) throw thrown
    })
    const shop = await shopWith(hook)
    const id = await failedPayment(shop)
    await pass(shop, 7_200)
    const tried = ids(id).length
    expect(tried).toBeGreaterThan(2)
    fails = false
    await pass(shop, 7_200)
    expect(new Set(ids(id)).size).toBe(2)
  })

  test("after a crash between the hook and what is kept of it, it comes again", async () => {
    const { hook, ids } = noting()
    const shop = await shopWith(hook)
    const id = await failedPayment(shop)
    const { context } = shop.payport
    const store = Context.get(context, Store)
    let crashed = false
    const crashing = Store.of({
      ...store,
      commit: (commit) =>
        Effect.suspend(() => {
          if (ids(id).length === 0) return store.commit(commit)
          crashed = true
          return Effect.die("the process is gone")
        }),
    })
    await Effect.runPromiseWith(context)(Effect.provideService(runDue(), Store, crashing))
    expect(crashed).toBe(true)
    expect(ids(id)).toHaveLength(1)
    await pass(shop, 10)
    expect(ids(id)).toHaveLength(1)
    await pass(shop, 30)
    expect(ids(id)).toHaveLength(3)
    expect(new Set(ids(id)).size).toBe(2)
  })

  test("who is forgotten is told of nothing more, and other consumers are", async () => {
    const { hook, told } = noting(() => Promise.reject(new Error("never")))
    const other = noting()
    const shop = await shopWith([hook, { ...other.hook, consumer: "books" }])
    await failedPayment(shop)
    await pass(shop, 2)
    const count = told.length
    expect(await shop.payport.forgetConsumer("orders")).toBe(true)
    expect(await shop.payport.forgetConsumer("orders")).toBe(false)
    await failedPayment(shop)
    await pass(shop, 7_200)
    expect(told).toHaveLength(count)
    expect(other.told).toHaveLength(4)
  })
})

describe("on one database", () => {
  const open = async () => {
    const { drop, options } = await aDatabase()
    onTestFinished(drop)
    return (onEvent: EventHook, work: boolean) => aShop({ ...options(), onEvent, work, log: false })
  }

  test("what happened while no process had the hook comes after the next start", async () => {
    const start = await open()
    const { hook, told } = noting()
    const before = await start(hook, false)
    await failedPayment(before)
    await before.payport.close()
    expect(told).toEqual([])
    const after = await start(hook, false)
    const worker = after.payport.work()
    await vi.waitFor(() => expect(told).toHaveLength(2), 20_000)
    await worker.stop()
    await failedPayment(after)
    await after.payport.close()
    expect(told).toHaveLength(2)
  })

  test("a hook that closes its payport does not wait for itself, and is done with it", async () => {
    const start = await open()
    const { promise, resolve } = Promise.withResolvers<AbortSignal>()
    const ids: Array<string> = []
    const closing: EventHook = {
      consumer: "orders",
      handle: async ({ id }, signal) => {
        ids.push(id)
        await before.payport.close()
        resolve(signal)
      },
    }
    const before = await start(closing, false)
    await failedPayment(before)
    before.payport.work()
    expect((await promise).aborted).toBe(false)
    await before.payport.close()
    const { hook, told } = noting()
    const after = await start(hook, false)
    await pass(after, 60)
    expect(told).toHaveLength(2 - ids.length)
    for (const { id } of told) expect(ids).not.toContain(id)
    await after.payport.close()
  })

  test("two processes share a hook, of which one at a time has an event of a payment", async () => {
    const start = await open()
    const busy = new Set<string>()
    let met = 0
    const { hook, told } = noting(async ({ subject_id }) => {
      if (busy.has(subject_id)) met += 1
      busy.add(subject_id)
      await new Promise((resolve) => setTimeout(resolve, 5))
      busy.delete(subject_id)
    })
    const one = await start(hook, true)
    const other = await start(hook, true)
    const shops = [one, other, one, other, one, other]
    await Promise.all(shops.map(failedPayment))
    await vi.waitFor(() => expect(told).toHaveLength(2 * shops.length), 20_000)
    await Promise.all([one.payport.close(), other.payport.close()])
    expect(new Set(told.map(({ id }) => id)).size).toBe(2 * shops.length)
    expect(met).toBe(0)
  })
})
