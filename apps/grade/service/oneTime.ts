import { goesTo } from "./states.ts"
import type { Service } from "./Service.ts"
import { type Clause, skip, want } from "./verdicts.ts"
import { millis, Payment } from "./Wire.ts"

const oneTime = async (service: Service, agent_id: string, metadata: object) => ({
  who: service.buyer,
  method: "POST" as const,
  path: "/v1/payments/one-time",
  body: {
    service_id: await service.offered(),
    amount: { currency: service.options.currency, value: 120 },
    description: "One of the checks",
    payer: { agent_id },
    channel: service.options.channel,
    metadata,
  },
})

const agentOf = async (service: Service): Promise<string> => {
  const { payer } = await service.create()
  return payer.agent_id ?? skip("a payment does not say by which agent it was made")
}

/** Checks of payments by deep link. */
export const ONE_TIME: ReadonlyArray<Clause> = [
  {
    id: "one-time",
    title: "makes a link that lives for five minutes, and completes when it is paid",
    clause: "POST /v1/payments/one-time",
    needs: ["creates"],
    hold: async (service) => {
      const agent = await agentOf(service)
      const asked = await oneTime(service, agent, { order: service.chance.hex(8) })
      const made = await service.must(201, Payment, asked)
      const { channel, currency } = service.options
      const link = `svc://pay/${made.id}?amount=120&currency=${currency}&channel=${channel}`
      const advice = "Make the link of the payment's own facts."
      want(made.deeplink === link, link, String(made.deeplink), advice)
      const lives = (millis(made.expires_at) - millis(made.created_at)) / 1_000
      want(Math.abs(lives - 300) <= 1, "a life of 300 s", `${lives} s`, "Five minutes by default.")
      const paid = await goesTo(service, made.id, "completed", service.simulate(made.id, "pay"))
      const hasNone = paid.qr == null && paid.captured_at === undefined
      want(hasNone, "no QR code and no capture", JSON.stringify(paid), "This flow has neither.")
    },
  },
  {
    id: "one-time-again",
    title: "makes no second payment of the same service, agent and metadata",
    clause: "One-Time Pay, idempotency: 409 IDEMPOTENCY_KEY_USED",
    needs: ["one-time"],
    hold: async (service) => {
      const asked = await oneTime(service, await agentOf(service), { order: service.chance.hex(8) })
      await service.must(201, Payment, asked)
      const again = await service.ask(asked)
      const right = again.status === 409 && again.code === "IDEMPOTENCY_KEY_USED"
      const advice = "Compare service, agent and metadata with what is open or paid."
      want(right, "status 409, IDEMPOTENCY_KEY_USED", again.said, advice)
    },
  },
]
