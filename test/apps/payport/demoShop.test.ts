import { afterEach, expect, test } from "vitest"
import { makePayport } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { demoShop, sandbox } from "../../../apps/payport/sandbox.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const open = async () => {
  const payport = await makePayport({ store: memory(), channels: sandbox() })
  closing.push(payport.close)
  return payport
}

test("its order is paid from end to end", async () => {
  const payport = await open()
  const { buyer, order, seller } = await demoShop(payport)
  const { id } = await payport.intents.create(buyer, order)
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  await payport.sandbox.advanceClock(buyer, { seconds: 5 })
  expect(await payport.intents.get(buyer, id)).toMatchObject({
    status: "succeeded",
    amount: { currency: "USD", value: 699 },
  })
})

test("there may be several in one payport, by a channel of choice", async () => {
  const payport = await open()
  const [one, other] = [await demoShop(payport), await demoShop(payport, { channel: "wallet_b" })]
  expect(one.order.service_id).not.toBe(other.order.service_id)
  const made = await payport.intents.create(other.buyer, other.order)
  expect(made).toMatchObject({ channel: "wallet_b" })
})
