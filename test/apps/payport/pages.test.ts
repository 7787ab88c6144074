import { expect, onTestFinished, test } from "vitest"
import { memory } from "../../../apps/payport/memory.ts"
import { pages } from "../../../apps/payport/pages.ts"
import { aShop } from "./aShop.ts"

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
