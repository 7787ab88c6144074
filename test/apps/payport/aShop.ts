import { randomUUID } from "node:crypto"
import { makePayport, type Payport, type PayportOptions } from "../../../apps/payport/index.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import type { SandboxOption } from "../../../apps/payport/PayportOptions.ts"

/** A service that the registry takes. */
export const aService = {
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["wallet_a"],
  default_channel: "wallet_a",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://summaries.example/hook",
  tags: ["papers"],
} as const

/** A sandbox with a seller, its active service, and a buyer. */
export const aShop = async <Transaction>(
  options: Omit<PayportOptions<SandboxOption, Transaction>, "channels">,
) => {
  const payport: Payport<SandboxOption> = await makePayport({ ...options, channels: sandbox() })
  const open = async (kind: "seller" | "buyer") => {
    const agent_id = `${kind}-${randomUUID()}`
    const { api_key, id } = await payport.accounts.create({ name: agent_id, kind, agent_id })
    return { id, key: api_key.key, caller: await payport.accounts.authenticate(api_key.key) }
  }
  const seller = await open("seller")
  const buyer = await open("buyer")
  const service = await payport.services.create(seller.caller, {
    ...aService,
    name: `Papers of ${seller.id}`,
  })
  await payport.services.activate(seller.caller, service.id)
  const order = { type: "one_time", description: "One paper", service_id: service.id } as const
  return { payport, seller: seller.caller, buyer: buyer.caller, keys: { seller, buyer }, order }
}

export type Shop = Awaited<ReturnType<typeof aShop>>
