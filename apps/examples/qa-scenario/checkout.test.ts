import { makePayport } from "payport"
import { memory } from "payport/memory"
import { sandbox } from "payport/sandbox"
import { isSound, simulate } from "payport/simulator"
import { afterAll, expect, test } from "vitest"

const payport = await makePayport({ store: memory(), channels: sandbox() })
afterAll(() => payport.close())
const open = async (kind: "buyer" | "seller") =>
  payport.caller((await payport.accounts.create({ name: kind, kind, agent_id: kind })).id)
const [seller, buyer] = [await open("seller"), await open("buyer")]
const { id: service_id } = await payport.services.create(seller, {
  name: "Tickets",
  description: "A seat for a show.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 4_500, currency: "USD", label: "One seat" }] },
  accepted_channels: ["wallet_a"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://tickets.example/hook",
})
await payport.services.activate(seller, service_id)
const order = { service_id, type: "one_time", description: "Seat 12" } as const
const buy = (value: number) =>
  payport.intents.create(buyer, { ...order, amount: { currency: "USD", value } })

test("a seat that nobody pays for is free again after fifteen minutes", async () => {
  const { id } = await buy(900)
  await payport.sandbox.advanceClock(buyer, { seconds: 15 * 60 })
  expect((await payport.intents.get(buyer, id)).status).toBe("expired")
  await expect(payport.intents.capture(seller, id)).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
  })
})

test("a stranger pays ten dollars at most", async () => {
  await expect(buy(4_500)).rejects.toMatchObject({ code: "INSUFFICIENT_KYC" })
})

test("whatever breaks, the books are right", { timeout: 60_000 }, () => {
  expect(isSound(simulate({ seed: 7, intents: 5 }))).toBe(true)
})
