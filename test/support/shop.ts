import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished } from "vitest"
import { manifest, type Running } from "../apps/server/service.ts"

/** An answer with its text as it came. */
export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly body: { readonly [field: string]: unknown }
}

/** A request as one of the demo accounts makes it. */
export interface Request {
  readonly method?: string
  readonly path: string
  readonly body?: object
  /** Its Idempotency-Key. */
  readonly once?: string
}

/** Sends a request. It fails when the connection breaks before the answer is whole. */
export const call = async (
  { buyerKey, sellerKey, url }: Running,
  as: "seller" | "buyer",
  { body, method = "POST", once, path }: Request,
): Promise<Answered> => {
  const answer = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${as === "seller" ? sellerKey : buyerKey}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(once !== undefined && { "Idempotency-Key": once }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const parsed = JSON.parse(text) as Answered["body"]
  return { status: answer.status, text, headers: answer.headers, body: parsed }
}

/** A webhook sent to a seller. */
export interface Webhook {
  readonly id: string
  readonly type: string
  readonly data: { readonly id: string }
}

/** A receiver of webhooks that takes everything. */
export const openReceiver = async () => {
  const received: Array<Webhook> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      received.push(JSON.parse(body) as Webhook)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { received, endpoint: `http://127.0.0.1:${port}/hooks` }
}

/** Registers and activates the demo seller's service; returns its id. */
export const openShop = async (service: Running, endpoint: string): Promise<string> => {
  const registered = await call(service, "seller", {
    path: "/v1/services",
    body: manifest(endpoint),
  })
  const id = String(registered.body["id"])
  const path = `/v1/services/${id}/activate`
  const { body } = await call(service, "seller", { method: "PATCH", path })
  expect(body["status"]).toBe("active")
  return id
}

/**
 * A buyer's request for a payment of a cent: the payer is not verified, and tests make many
 * payments.
 */
export const order = (service: string, description: string) => ({
  path: "/v1/payment-intents",
  body: {
    service_id: service,
    type: "one_time",
    amount: { currency: "USD", value: 1 },
    description,
    metadata: { order: description },
  },
})

/** The request that plays the payer's wallet in the sandbox. */
export const simulated = (id: string, action: string) => ({
  path: `/v1/sandbox/payment-intents/${id}/simulate`,
  body: { action },
})
