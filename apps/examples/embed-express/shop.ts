import express from "express"
import { isFailure, makePayport } from "payport"
import { memory } from "payport/memory"
import { sandbox } from "payport/sandbox"

export const payport = await makePayport({ store: memory(), channels: sandbox() })
const seller = await payport.accounts.create({ name: "Papers", kind: "seller", agent_id: "papers" })
const agent = await payport.accounts.create({ name: "Ada", kind: "buyer", agent_id: "ada" })
export const [papers, ada] = [await payport.caller(seller.id), await payport.caller(agent.id)]
const { id: service_id } = await payport.services.create(papers, {
  name: "Paper summaries",
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["wallet_a"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await payport.services.activate(papers, service_id)

export const shop = express().post("/papers/:title", async ({ params }, response) => {
  const order = { service_id, type: "one_time", description: params.title } as const
  const amount = { currency: "USD", value: 699 }
  const made = await payport.intents
    .create(ada, { ...order, amount })
    .catch((error: unknown) => error)
  response.status(isFailure(made) ? 422 : 201).json(made)
})
