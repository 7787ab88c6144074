import { expect, onTestFinished, test } from "vitest"
import { defineChannel } from "../../../apps/payport/channels.ts"
import { makePayport } from "../../../apps/payport/index.ts"
import { aBank, entry } from "./aBank.ts"
import { aService } from "./aShop.ts"
import { aDatabase } from "./stores.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const amount = { currency: "USD", value: 150 }

/** A bank that debits by mandates, and keeps its books whatever payport forgets. */
const debitingBank = () => {
  const debits: Array<string> = []
  const { definition } = aBank({
    channel: { ...entry, deep_links: true },
    createDeepLink: () => ({ status: "created" }),
    inquireCharge: ({ out_trade_no }) =>
      debits.includes(out_trade_no)
        ? { status: "settled", amount, refunded: 0, trade_no: `bank_${out_trade_no}` }
        : { status: "not_found" },
    debits: {
      // A bank that keeps to numbers alone, and would debit a charge again under another one.
      debit: ({ out_trade_no }) => {
        debits.push(out_trade_no)
        return { status: "done", trade_no: `bank_${out_trade_no}`, at: new Date() }
      },
      requestMandate: () => ({ status: "active" }),
      inquireMandate: () => ({ status: "active" }),
      revokeMandate: () => ({ status: "revoked" }),
    },
  })
  return { debits, channels: [defineChannel(definition)] }
}

const plan = { plan_id: "daily", name: "Daily", interval: "daily", features: [] } as const

test("a database restored to yesterday charges no subscription a second time", async () => {
  const database = await aDatabase()
  onTestFinished(database.drop)
  const { channels, debits } = debitingBank()
  const begun = Date.now()
  const open = (on: typeof database, after: number) =>
    makePayport({
      ...on.options(),
      channels,
      baseUrl: "https://pay.example",
      // Not ahead of the machine's time, which ids are drawn by.
      clock: { now: () => Date.now() - 2 * DAY + after },
      log: false,
    })

  const first = await open(database, 0)
  const account = (kind: "buyer" | "seller") =>
    first.accounts.create({ name: kind, kind, agent_id: kind })
  const seller = await first.caller((await account("seller")).id)
  const payer = await account("buyer")
  const buyer = await first.caller(payer.id)
  const service = await first.services.create(seller, {
    ...aService,
    name: "News",
    accepted_channels: [entry.id],
    default_channel: entry.id,
    payment_methods: { one_time: true, subscription: true },
    pricing: { ...aService.pricing, subscription: [{ ...plan, amount: 150, currency: "USD" }] },
  })
  await first.services.activate(seller, service.id)
  await first.installs.put(buyer, service.id, { auto_pay_limit: amount })
  const { id } = await first.subscriptions.create(buyer, service.id, { plan_id: "daily" })
  expect(debits).toHaveLength(1)
  await first.close()
  const restored = await database.copy()
  onTestFinished(restored.drop)

  /** Lets the next day's renewal be paid, and returns its invoice. */
  const renewed = async (on: typeof database, after: number) => {
    const payport = await open(on, after)
    const caller = await payport.caller(payer.id)
    const paid = async () => {
      const { data } = await payport.invoices.list(caller, { subscription: id, status: "paid" })
      return data
    }
    await expect.poll(async () => (await paid()).length, { timeout: 20_000 }).toBe(2)
    const [invoice] = await paid()
    await payport.close()
    return invoice
  }
  const forgotten = await renewed(database, DAY + 1_000 - (Date.now() - begun))
  expect(debits).toHaveLength(2)
  const again = await renewed(restored, DAY + 2 * HOUR)
  expect(debits).toHaveLength(2)
  expect(again?.id).toBe(forgotten?.id)
  expect(again?.payment_intent).toBe(forgotten?.payment_intent)
  expect(debits).toContain(again?.payment_intent)
}, 60_000)
