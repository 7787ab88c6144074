import { startPayport } from "@payport/server/fixture"
import { expect, test } from "vitest"

test("what is captured is told within a minute", { timeout: 60_000 }, async () => {
  await using payport = await startPayport()
  const { id } = await payport.buyer.intents.create(payport.order)
  await payport.pay(id)
  await payport.seller.intents.capture(id)
  await payport.clock.advance("1 minute")
  const { data } = await payport.inbox.next({ type: "payment_intent.succeeded" })
  expect(data.id).toBe(id)
})
