import { expect, test } from "vitest"
import { type PayportOptions, usualTerms } from "../../../apps/payport/index.ts"
import { aService, aShop } from "./aShop.ts"
import { STORES } from "./stores.ts"

const { plans, usage } = usualTerms
const row = { service: 200, spread: { low: 100, middle: 100, high: 100 } }

const terms = {
  fees: { one_time: row, cross_border: row },
  limits: {
    anonymous: { per_transaction: 5, daily: 12 },
    basic: { per_transaction: 100, daily: 1_000 },
  },
  plans: { starter: { ...plans.starter, channels: 1, rate_limit: 9, volume_cap: 777 } },
  usage: { "fx-quote": { ...usage["fx-quote"], unit_price: 7_000 } },
}

test.each(STORES)("terms of the host's hold on %s", async (_name, open) => {
  const { drop, options } = await open()
  const given: Pick<PayportOptions, "store"> = options()
  const { buyer, keys, order, payport, seller } = await aShop({ ...given, terms, log: false })
  const pay = (value: number, currency = "USD") =>
    payport.intents.create(buyer, { ...order, amount: { currency, value } })

  const { id } = await pay(500)
  // 2 % and the channel's 0.6 % of 5.00 USD.
  expect((await payport.intents.get(seller, id)).fees).toMatchObject({
    service: { value: 10 },
    channel: { value: 3 },
  })
  // 348 euro cents are 400 cents at 0.87, and 1 % less settles, rounded down.
  const { settlement } = await payport.intents.get(seller, (await pay(348, "EUR")).id)
  expect(settlement).toMatchObject({ currency: "USD", value: 395 })

  await expect(pay(501)).rejects.toMatchObject({
    code: "INSUFFICIENT_KYC",
    details: { current_txn_limit: { value: 5 }, required_kyc_level: "basic" },
  })
  // 5.00 and 4.00 USD are spent of the 12 of a day.
  await expect(pay(301)).rejects.toMatchObject({
    details: { limit: "daily", current_daily_limit: { value: 12 } },
  })
  await pay(300)

  const two = { ...aService, name: "Two", accepted_channels: ["wallet_a", "wallet_b"] as const }
  const refused = payport.services.create(seller, two)
  await expect(refused).rejects.toMatchObject({
    code: "PLAN_LIMIT_EXCEEDED",
    details: { limit: 1 },
  })
  const bill = await payport.billing.usage(buyer)
  const quotes = bill.operations.find(({ operation }) => operation === "fx-quote")
  expect([bill.volume.cap, quotes?.unit_price]).toEqual([{ currency: "USD", value: 777 }, "0.007"])
  const answer = await payport.http().fetch(
    new Request("http://127.0.0.1:4020/v1/channels", {
      headers: { authorization: `Bearer ${keys.buyer.key}` },
    }),
  )
  expect(answer.headers.get("ratelimit-limit")).toBe("9")
  await payport.close()
  await drop()
})
