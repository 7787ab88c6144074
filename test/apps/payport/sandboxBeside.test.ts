import { Effect } from "effect"
import { afterEach, expect, test } from "vitest"
import { defineChannel, type RequestAnswered } from "../../../apps/payport/channels.ts"
import { makePayport } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { aBank, formOf, signed } from "./aBank.ts"
import { aService } from "./aShop.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A sandbox with a simulated wallet and a bank, whose answers to refunds get lost. */
const aShopBeside = async () => {
  const { definition } = aBank()
  const asked: Array<string> = []
  const { inquire, refund } = definition
  const refunded = (...given: Parameters<typeof refund>) =>
    refund(...given) as Effect.Effect<RequestAnswered>
  const bank = defineChannel({
    ...definition,
    refund: (call, options) =>
      Effect.andThen(refunded(call, options), Effect.fail(new Error("The line is cut."))),
    inquire: (call, options) => {
      asked.push(call.number)
      return inquire(call, options)
    },
  })
  const payport = await makePayport({
    store: memory(),
    channels: sandbox({ simulated: ["wallet_a"], channels: [bank] }),
    work: false,
    log: false,
  })
  closing.push(payport.close)
  const open = async (kind: "buyer" | "seller") =>
    payport.caller((await payport.accounts.create({ name: kind, kind, agent_id: kind })).id)
  const [seller, buyer] = [await open("seller"), await open("buyer")]
  const { id: service_id } = await payport.services.create(seller, {
    ...aService,
    name: "Papers",
    accepted_channels: ["own_bank"],
    default_channel: "own_bank",
  })
  await payport.services.activate(seller, service_id)
  const { id } = await payport.intents.create(buyer, {
    service_id,
    type: "one_time",
    description: "Attention",
    amount: { currency: "USD", value: 699 },
  })
  return { asked, buyer, id, payport, seller }
}

test("work that falls due while a sandbox's clock moves asks the host's own channel", async () => {
  const { asked, buyer, id, payport, seller } = await aShopBeside()
  const form = formOf(id, "AUTHORIZED")
  await payport.channels.receiveCallback("own_bank", form, signed(form))
  await payport.intents.capture(seller, id)
  const refund = await payport.refunds.create(seller, { payment_intent: id })
  expect(refund.status).toBe("pending")
  await payport.sandbox.advanceClock(buyer, { seconds: 60 })
  expect(asked.length).toBeGreaterThan(0)
  expect((await payport.refunds.get(seller, refund.id)).status).toBe("succeeded")
})

test("a simulated payer cannot pay at the host's own channel", async () => {
  const { buyer, id, payport } = await aShopBeside()
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  expect((await payport.intents.get(buyer, id)).status).toBe("qr_generated")
})
