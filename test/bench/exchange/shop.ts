import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware } from "@x402/express"
import express, { type RequestHandler } from "express"
import { requirePayment } from "../../../adapters/http/paid/402.ts"
import type { Till } from "./Exchange.ts"

/** A price of one cent in USDC, for x402's own scheme `exact`. */
const EXACT: Parameters<x402ResourceServer["register"]>[1] = {
  scheme: "exact",
  defaultAssetTransferMethod: "eip3009",
  paymentFlows: { eip3009: { supported: ["authorization"], default: "authorization" } },
  parsePrice: () =>
    Promise.resolve({
      amount: "10000",
      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      extra: { name: "USDC", version: "2" },
    }),
  enhancePaymentRequirements: (requirements) => Promise.resolve(requirements),
}

const cashier = (till: Till): RequestHandler => {
  if ("facilitator" in till) {
    const facilitator = new HTTPFacilitatorClient({ url: till.facilitator })
    const server = new x402ResourceServer(facilitator).register("eip155:84532", EXACT)
    const accepts = {
      scheme: "exact",
      network: "eip155:84532",
      payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
      price: "$0.01",
    } as const
    return paymentMiddleware({ "GET /reports/:id": { accepts, description: "A report" } }, server)
  }
  const most = Number.MAX_SAFE_INTEGER
  const { node } = requirePayment({
    ...till,
    amount: { currency: "USD", value: 1 },
    description: "A report",
    // The one client of the bench needs more than a paywall's usual rate.
    rates: { perClient: most, inAll: most },
    report: (error) => void process.stderr.write(`${String(error)}\n`),
  })
  return (request, response, next) => void node(request, response, next)
}

const [till = "{}"] = process.argv.slice(2)
const shop = express()
shop.use(cashier(JSON.parse(till) as Till))
shop.get("/reports/:id", (request, response) => void response.json({ report: request.params.id }))
const server = shop.listen(0, "127.0.0.1", 4_096)
await once(server, "listening")
process.once("disconnect", () => process.exit())
process.send?.((server.address() as AddressInfo).port)
