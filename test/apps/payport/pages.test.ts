import express from "express"
import { expect, onTestFinished, test } from "vitest"
import { memory } from "../../../apps/payport/memory.ts"
import { pages } from "../../../apps/payport/pages.ts"
import { Listening } from "../../support/listening.ts"
import { aService, aShop } from "./aShop.ts"

test("a payment's page is in a host's app, where its code leads", async () => {
  const baseUrl = "http://shop.test/payments"
  const { keys, order, payport } = await aShop({ store: memory(), baseUrl, log: false })
  onTestFinished(() => payport.close())
  const { fetch } = payport.http({ beside: [pages(payport)] })
  const made = await fetch(
    new Request(`${baseUrl}/v1/payment-intents`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.buyer.key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...order, amount: { currency: "USD", value: 699 } }),
    }),
  )
  const { id, qr } = (await made.json()) as { id: string; qr: { scan_url: string } }
  expect(qr.scan_url).toBe(`${baseUrl}/pay/${id}`)
  const shown = await fetch(new Request(`${qr.scan_url}?lang=zh`))
  expect(shown.status).toBe(200)
  expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  const text = await shown.text()
  expect(text).toContain("US$6.99")
  const [, style = ""] = /href="(\/payments\/assets\/payment-[^"]+)"/.exec(text) ?? []
  expect((await fetch(new Request(`http://shop.test${style}`))).status).toBe(200)
  // The app serves only payers' pages: no start page, no demo and no console.
  for (const path of ["/", "/sandbox/demo", "/console"]) {
    expect((await fetch(new Request(`${baseUrl}${path}`))).status).toBe(404)
  }
})

test("nobody makes any number of payments there by a printed code", async () => {
  const { payport } = await aShop({ store: memory(), log: false })
  onTestFinished(() => payport.close())
  const { fetch } = payport.http({ beside: [pages(payport)] })
  const url = "http://127.0.0.1:4020/pay/s/01997d3e-8a00-7000-8000-00000000dead"
  const headers = { "sec-fetch-site": "same-origin" }
  const post = () =>
    fetch(
      new Request(url, { method: "POST", headers, body: new URLSearchParams({ price: "0" }) }),
      {
        address: "198.51.100.7",
      },
    )
  const answers = await Promise.all(Array.from({ length: 12 }, post))
  expect(answers.map(({ status }) => status).slice(-2)).toEqual([429, 429])
})

test.each([
  ["not been read", () => []],
  ["been read as a form", () => [express.urlencoded()]],
  ["been read as a form of lists", () => [express.urlencoded({ extended: true })]],
])("a payer chooses a channel there, where the choice has %s before", async (_, parsers) => {
  const { buyer, order, payport, seller } = await aShop({ store: memory(), log: false })
  const listening = new Listening()
  onTestFinished(async () => {
    await listening.close()
    await payport.close()
  })
  const { default_channel: _none, ...fields } = aService
  const { id: service_id } = await payport.services.create(seller, {
    ...fields,
    name: "By either wallet",
    accepted_channels: ["wallet_a", "wallet_b"],
  })
  await payport.services.activate(seller, service_id)
  const amount = { currency: "USD", value: 699 }
  const { id } = await payport.intents.create(buyer, { ...order, service_id, amount })

  const { node } = payport.http({ beside: [pages(payport)] })
  const app = express()
  app.use(express.json(), ...parsers(), node)
  const chosen = await fetch(`${await listening.open(app)}/pay/${id}/channel`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ channel: "wallet_b" }),
  })
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, `/pay/${id}`])
  expect(await payport.intents.get(buyer, id)).toMatchObject({ channel: "wallet_b" })
})
