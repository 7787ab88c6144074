import { randomUUID } from "node:crypto"
import type { Payport } from "./makePayport.ts"

/** The channel and the prices of a demo. */
export interface DemoOptions {
  /** The channel of its payments; `wallet_a` by default. */
  readonly channel?: string
}

/**
 * Opens a new seller with an active service, and a new buyer, to try payments in a test or an
 * example. `order` is an input of `intents.create`: 6.99 USD, once.
 */
export const demoShop = async (
  { accounts, caller, services }: Pick<Payport, "accounts" | "caller" | "services">,
  { channel = "wallet_a" }: DemoOptions = {},
) => {
  const open = async (kind: "buyer" | "seller") => {
    const agent_id = `${kind}-${randomUUID()}`
    return caller((await accounts.create({ name: `Demo ${kind}`, kind, agent_id })).id)
  }
  const [seller, buyer] = [await open("seller"), await open("buyer")]
  const { id: service_id } = await services.create(seller, {
    name: `Papers ${randomUUID()}`,
    description: "Sums up a research paper.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
    accepted_channels: [channel],
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://papers.example/hook",
  })
  await services.activate(seller, service_id)
  const amount = { currency: "USD", value: 699 } as const
  const order = { service_id, type: "one_time", description: "One paper", amount } as const
  return { seller, buyer, order }
}
