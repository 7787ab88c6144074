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

test("a proof passes once, and later, if the answer to its redemption was lost", async () => {
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
      body,
    })
    const isLost = request.url?.endsWith("/redeem") === true && losing-- > 0
    response.writeHead(isLost ? 500 : answer.status, { "content-type": "application/json" })
    response.end(isLost ? "" : await answer.text())
  })
  const { check } = requirePayment({
    payport: { baseUrl: url, apiKey: app.seller.api_key.key },
    service,
    amount: { currency: "USD", value: 25 },
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
  const verdicts = await Promise.all([ask(proof), ask(proof)])
  expect(verdicts.filter(({ paid }) => paid)).toMatchObject([{ payment_intent: id }])
  expect(await ask(proof)).toMatchObject({ paid: false, status: 402 })
})
