import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sandboxWallet } from "../../adapters/http/client/entry.ts"
import type { WalletOrder } from "../../adapters/http/client/PaymentDemand.ts"
import { requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { Listening } from "../support/listening.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
const servers = new Listening()
afterAll(async () => {
  await servers.close()
  await app.stop()
})

/** Pays for a request whose redemption has a lost answer. Returns how its proof is shown. */
const payAndLose = async (capture: "at_once" | "later" = "at_once") => {
  let losing = 1
  const url = await servers.open(async (request, response) => {
    const body = await text(request)
    const answer = await fetch(`${app.url}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": "application/json",
        "idempotency-key": String(request.headers["idempotency-key"]),
      },
      ...(body !== "" && { body }),
    })
    const isLost = request.url?.endsWith("/redeem") === true && losing-- > 0
    response.writeHead(isLost ? 500 : answer.status, { "content-type": "application/json" })
    response.end(isLost ? "" : await answer.text())
  })
  const { check } = requirePayment({
    payport: { baseUrl: url, apiKey: app.seller.api_key.key },
    service,
    amount: { currency: "USD", value: 25 },
    capture,
  })
  const ask = (headers: { readonly [name: string]: string }) =>
    check({ method: "GET", url: "https://shop.example/", headers })
  const unpaid = await ask({})
  const { payment_intent: due } = (unpaid.paid ? {} : unpaid.body) as {
    readonly payment_intent: WalletOrder & { readonly token: string }
  }
  const { id, token } = due
  const wallet = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  await wallet.pay({ ...due, origin: "https://shop.example" })
  const proof = { "x-payment-intent": id, "x-payment-token": token }
  expect(await ask(proof)).toMatchObject({ paid: false, status: 503 })
  return { id, show: () => ask(proof) }
}

test("a proof passes once, and later, if the answer to its redemption was lost", async () => {
  const { id, show } = await payAndLose()
  const verdicts = await Promise.all([show(), show()])
  expect(verdicts.filter(({ paid }) => paid)).toMatchObject([{ payment_intent: id }])
  expect(await show()).toMatchObject({ paid: false, status: 402 })
})

test.each([
  ["was refunded", "at_once", "/v1/refunds"],
  ["was released", "later", "/void"],
] as const)("it does not pass if its payment %s since", async (_, capture, how) => {
  const { id, show } = await payAndLose(capture)
  const path = how === "/void" ? `/v1/payment-intents/${id}/void` : how
  const given = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${app.seller.api_key.key}`,
      "content-type": "application/json",
      "idempotency-key": id,
    },
    body: JSON.stringify(how === "/void" ? {} : { payment_intent: id }),
  })
  expect(given.ok).toBe(true)
  expect(await show()).toMatchObject({ paid: false, status: 402 })
})
