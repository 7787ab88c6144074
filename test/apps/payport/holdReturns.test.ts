import { expect, test } from "vitest"
import type { LogEntry } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { aShop } from "./aShop.ts"

const DAY = 86_400_000

/** Voids a payment that its payer has authorized. Returns what becomes of its money. */
const voided = async (createdBefore: Date) => {
  const entries: Array<LogEntry> = []
  const { buyer, order, payport, seller } = await aShop({
    store: memory(),
    holdReturns: { createdBefore },
    log: (entry) => void entries.push(entry),
  })
  const amount = { currency: "USD", value: 699 }
  const { id } = await payport.intents.create(buyer, { ...order, amount })
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.void(buyer, id)
  const held = () =>
    entries.filter(({ message }) => message.includes("A return is held.") && message.includes(id))
  const released = async () => JSON.stringify(await payport.intents.timeline(seller, id))
  return { held, payport, released }
}

test("money of payments before a time stays at the channel, and the log names it", async () => {
  const { held, payport, released } = await voided(new Date(Date.now() + DAY))
  await expect.poll(() => held().length, { timeout: 10_000 }).toBe(1)
  expect(await released()).not.toMatch(/release[^}]*done/)
  await payport.close()
})

test("money of later payments goes back", async () => {
  const { held, payport, released } = await voided(new Date(0))
  await expect.poll(released, { timeout: 10_000 }).toMatch(/release[^}]*done/)
  expect(held()).toStrictEqual([])
  await payport.close()
})
