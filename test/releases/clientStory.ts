import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import {
  makeClient,
  PayportError,
  payingFetch,
  sandboxWallet,
} from "../../adapters/http/client/entry.ts"
import { webhookServer } from "../../adapters/receiver/examples/nodeHttp.ts"

/** The keys of the story's seller and buyer, and the service's URL. */
export interface Told {
  readonly url: string
  readonly seller: string
  readonly buyer: string
}

/** Long enough for a delivery on a busy machine. */
const PATIENCE = 30_000

const until = async (what: string, holds: () => boolean): Promise<void> => {
  const end = Date.now() + PATIENCE
  while (!holds()) {
    assert.ok(Date.now() < end, `${what} did not happen.`)
    await new Promise((wait) => setTimeout(wait, 20))
  }
}

const manifest = (name: string) =>
  ({
    name,
    description: "Forecasts for any place on earth.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 5, currency: "USD", label: "A forecast" }] },
    accepted_channels: ["wallet_a"],
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://weather.example/webhooks",
    default_channel: "wallet_a",
  }) as const

/**
 * What programs do with a release's client and receiver at a service. A release stores it in one
 * file, so that every later service is tested with it. Returns the steps; rejects if an answer is
 * not what the release's programs rely on.
 */
export const tell = async ({ buyer: buyerKey, seller: sellerKey, url }: Told) => {
  const done: Array<string> = []
  const seller = makeClient({ baseUrl: url, apiKey: sellerKey })
  const buyer = makeClient({ baseUrl: url, apiKey: buyerKey })

  const heard: Array<string> = []
  const flaws: Array<unknown> = []
  const secrets: Array<string> = []
  const handle = ({ type }: { readonly type: string }) => void heard.push(type)
  const receiver = webhookServer({ secrets, handle }, (flaw) => flaws.push(flaw))
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  try {
    const { port } = receiver.address() as AddressInfo
    const endpoint = await seller.webhooks.createEndpoint({
      url: `http://127.0.0.1:${port}/hook`,
      enabled_events: ["payment_intent.succeeded", "refund.succeeded"],
    })
    secrets.push(endpoint.secret)
    done.push("registered a receiver")

    const name = `Weather ${randomUUID()}`
    const service = await seller.services.create(manifest(name))
    await seller.services.activate(service.id)
    const { data } = await buyer.services.search({ q: name, limit: 5 })
    assert.deepEqual(
      data.map(({ id }) => id),
      [service.id],
    )
    done.push("sold a service that was found")

    const amount = { currency: "USD", value: 5 }
    const order = { service_id: service.id, amount, description: "A forecast" }
    const made = await buyer.intents.create({ ...order, type: "one_time" })
    assert.equal(made.status, "pending")
    await buyer.sandbox.simulate(made.id, { action: "authorize" })
    assert.equal((await seller.intents.capture(made.id)).status, "captured")
    await seller.sandbox.advanceClock({ seconds: 3 })
    const paid = await buyer.intents.get(made.id)
    assert.deepEqual([paid.status, paid.amount], ["succeeded", amount])
    await until("The payment's webhook", () => heard.includes("payment_intent.succeeded"))
    done.push("was paid, and told so")

    const refund = await seller.refunds.create({
      payment_intent: made.id,
      amount: { currency: "USD", value: 2 },
      reason: "customer_request",
    })
    assert.equal(refund.remaining_refundable?.value, 3)
    await until("The refund's webhook", () => heard.includes("refund.succeeded"))
    const listed = await seller.intents.list({ service_id: service.id, limit: 1 })
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [made.id],
    )
    done.push("refunded, and listed")

    const refusal = await buyer.services.get("unknown").then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.ok(refusal instanceof PayportError)
    assert.deepEqual([refusal.status, refusal.code], [404, "NOT_FOUND"])
    done.push("was refused by a code")

    const wallet = sandboxWallet({ baseUrl: url, apiKey: buyerKey })
    const budget = { currency: "USD", perCall: 100, total: 100 }
    const paying = payingFetch(fetch, wallet, { budget, hosts: [new URL(url).host] })
    const answer = await paying(`${url}/v1/sandbox/paid/${service.id}`)
    assert.equal(answer.status, 200)
    done.push("paid at a paid endpoint")
    assert.deepEqual(flaws, [])
  } finally {
    receiver.close()
    receiver.closeAllConnections()
  }
  return done
}
