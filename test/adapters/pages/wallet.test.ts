import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readScanned } from "../../../adapters/pages/wallet/readScanned.ts"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { livePages } from "../../../adapters/pages/everyPage.ts"
import { phaseOf } from "../../../adapters/pages/wallet/Phase.ts"
import { activeService } from "../../support/app.ts"
import { id, intentIn, oneTimeIn } from "../../support/records.ts"
import { openSite, type SiteApp } from "../../support/site.ts"

const known = { base_url: "https://pay.test/shop", currencies }
const [payment, service, mandate] = [
  id("pi", 1),
  "01997d3e-8a00-7000-8000-000000000010",
  id("mnd", 1),
]

describe("what was scanned", () => {
  test.each([
    [
      `svc://pay/${payment}?channel=wallet_a`,
      { type: "payment", id: payment, channel: "wallet_a" },
    ],
    [`  svc://pay/${payment}\r\n`, { type: "payment", id: payment, channel: undefined }],
    [
      `svc://pay/${payment}?amount=699&currency=USD&channel=wallet_a`,
      { type: "payment", id: payment, channel: "wallet_a" },
    ],
    [`${known.base_url}/pay/${payment}`, { type: "payment", id: payment, channel: undefined }],
    [
      `svc://service/${service}?channel=wallet_b`,
      { type: "service", id: service, channel: "wallet_b" },
    ],
    [`${known.base_url}/sandbox/wallet/mandates/${mandate}`, { type: "mandate", id: mandate }],
    ["", { type: "unknown" }],
    ["svc://pay/../../etc", { type: "unknown" }],
    [
      `svc://pay/${payment}?channel=wallet_a&next=https://evil.example`,
      { type: "payment", id: payment, channel: "wallet_a" },
    ],
    [`https://evil.example/pay/${payment}`, { type: "unknown" }],
    [`https://evil.example/sandbox/wallet/mandates/${mandate}`, { type: "unknown" }],
    ["javascript:alert(1)", { type: "unknown" }],
    [`svc://pay/${payment}${"x".repeat(3000)}`, { type: "unknown" }],
  ] as const)("%s leads to %o", (text, expected) => {
    expect(readScanned(text, known)).toEqual(expected)
  })
})

describe("where a payment stands for a wallet", () => {
  const open = intentIn("qr_generated", { channel: null })
  const failed = (failure_code: string) => ({ ...intentIn("failed"), failure_code })
  test.each([
    ["choose", open, undefined],
    ["ask", open, "wallet_b"],
    ["ask", intentIn("qr_generated", { channel: "wallet_a" }), undefined],
    ["ask", intentIn("scanning", { channel: "wallet_a" }), "wallet_a"],
    ["ask", oneTimeIn("pending", { channel: "wallet_a" }), "wallet_a"],
    ["elsewhere", intentIn("scanning", { channel: "wallet_a" }), "wallet_b"],
    ["approved", intentIn("authorized"), "wallet_a"],
    ["paying", intentIn("capturing"), "wallet_a"],
    ["paying", intentIn("captured"), "wallet_a"],
    ["paying", oneTimeIn("debiting"), "wallet_a"],
    ["paid", intentIn("succeeded"), "wallet_a"],
    ["paid", oneTimeIn("completed"), "wallet_a"],
    ["rejected", failed("PAYMENT_REJECTED"), "wallet_a"],
    ["poor", failed("INSUFFICIENT_BALANCE"), "wallet_a"],
    ["failed", failed("CHANNEL_CLOSED"), "wallet_a"],
    ["expired", intentIn("expired"), "wallet_a"],
    ["cancelled", intentIn("cancelled"), "wallet_a"],
    ["cancelled", intentIn("voided"), "wallet_a"],
  ] as const)("%s", (phase, intent, channel) => {
    expect(phaseOf(intent, channel)).toBe(phase)
  })
})

let app: SiteApp
let shop: string
beforeAll(async () => {
  app = await openSite()
  shop = await activeService(app)
})
afterAll(() => app.stop())

const WALLET = "/sandbox/wallet"

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'`

const requested = async (said: object = {}) => {
  const body = {
    service_id: shop,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "One report",
    payer_channel: "wallet_a",
    ...said,
  }
  const { json } = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body,
  })
  return String(json["id"])
}

const statusOf = async (id: string) =>
  (await app.call("GET", `/v1/payment-intents/${id}`)).json["status"]

const post = (path: string, fields: { readonly [name: string]: string }, headers: object = {}) =>
  fetch(`${app.url}${path}`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", ...headers },
    body: new URLSearchParams(fields),
    redirect: "manual",
  })

describe("the wallet's requests", () => {
  test("change nothing where they only ask", async () => {
    const id = await requested()
    const code = encodeURIComponent(`svc://pay/${id}?channel=wallet_a`)
    const opened = await app.get(`${WALLET}?code=${code}`)
    expect(opened.headers.get("location")).toBe(`${WALLET}/pay/${id}?channel=wallet_a`)
    const page = await app.get(`${WALLET}/pay/${id}?channel=wallet_a&action=approve`)
    expect(await page.text()).toContain("Pay $6.99")
    expect(await statusOf(id)).toBe("qr_generated")
  })

  test("hold the service's time, by which the script counts down", async () => {
    const id = await requested()
    const page = await (await app.get(`${WALLET}/pay/${id}?channel=wallet_a`)).text()
    const { now } = (await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 60 } }))
      .json
    const told = Number(/<main [^>]*data-now="(\d+)"/.exec(page)?.[1])
    const ahead = Date.parse(String(now)) - told
    expect(ahead).toBeGreaterThanOrEqual(60_000)
    expect(ahead).toBeLessThan(90_000)
  })

  test("show an expiry on another day with its date", async () => {
    const advance = (seconds: number) =>
      app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })
    const now = Date.parse(String((await advance(1)).json["now"]))
    const midnight = (Math.floor(now / 86_400_000) + 2) * 86_400_000
    await advance(Math.floor((midnight - now) / 1_000) - 60)
    const id = await requested()
    const page = await (await app.get(`${WALLET}/pay/${id}?channel=wallet_a`)).text()
    const date = new Date(midnight).toISOString().slice(0, 10)
    expect(page).toMatch(new RegExp(`>until ${date} 00:\\d\\d UTC</time>`))
  })

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sub-domain", { "sec-fetch-site": "same-site" }],
    ["no browser", { "sec-fetch-site": "" }],
  ])("are refused from %s", async (_, headers) => {
    const id = await requested()
    const acted = await post(`${WALLET}/pay/${id}?channel=wallet_a`, { action: "approve" }, headers)
    const scanned = await post(WALLET, { code: `svc://pay/${id}?channel=wallet_a` }, headers)
    expect([acted.status, scanned.status]).toEqual([403, 403])
    expect(await statusOf(id)).toBe("qr_generated")
  })

  test("are answered alike for what is unknown, malformed or of another kind", async () => {
    const wrong = [id("pi", 98), "pi_1", "..%2f..%2fetc", id("mnd", 1), `${id("pi", 1)}'--`]
    const shown = wrong.map((id) => app.get(`${WALLET}/pay/${id}?channel=wallet_a`))
    const acted = wrong.map((id) => post(`${WALLET}/pay/${id}`, { action: "approve" }))
    const decided = wrong.map((id) => post(`${WALLET}/mandates/${id}`, { decision: "approve" }))
    const answers = await Promise.all([...shown, ...acted, ...decided])
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(texts).size).toBe(1)
  })

  test("show what is written as text, whatever it is", async () => {
    const hostile = await activeService(app, { name: "<b>Bold</b>", tags: ["x"] })
    const id = await requested({ service_id: hostile, description: HOSTILE })
    const text = await (await app.get(`${WALLET}/pay/${id}?channel=wallet_a`)).text()
    expect(text).not.toMatch(/<script>|<img|<b>/)
    expect(text).toContain("<bdi>&lt;b>Bold&lt;/b></bdi>")
    const pasted = await post(WALLET, { code: `"><script>alert(1)</script>` })
    expect(pasted.status).toBe(422)
    expect(await pasted.text()).not.toContain("<script>a")
  })

  test("that come too late show how things are", async () => {
    const id = await requested()
    const path = `${WALLET}/pay/${id}?channel=wallet_a`
    expect((await post(path, { action: "reject" })).status).toBe(303)
    expect((await post(path, { action: "approve" })).status).toBe(303)
    expect(await statusOf(id)).toBe("failed")
    expect(await (await app.get(path)).text()).toContain("You turned the payment down")
  })

  test.each([{}, { action: "settle" }, { action: "__proto__" }])(
    "do not take %o",
    async (fields) => {
      const id = await requested()
      expect((await post(`${WALLET}/pay/${id}?channel=wallet_a`, fields)).status).toBe(422)
      expect(await statusOf(id)).toBe("qr_generated")
    },
  )

  test("lead nowhere but within the site", async () => {
    const scanned = await post(WALLET, { code: `svc://service/${service}?channel=wallet_a` })
    expect(scanned.headers.get("location")).toBe(`/pay/s/${service}?channel=wallet_a`)
    const elsewhere = await post(WALLET, { code: "https://evil.example/" })
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([422, null])
  })

  test("keep the language that their reader asked for", async () => {
    const id = await requested()
    const code = `svc://pay/${id}?channel=wallet_a`
    const { headers } = await post(`${WALLET}?lang=zh`, { code })
    expect(headers.get("location")).toBe(`${WALLET}/pay/${id}?channel=wallet_a&lang=zh`)
    const text = await (await app.get(headers.get("location") ?? "")).text()
    expect(text).toContain('<html lang="zh-Hans">')
    expect(text).toContain("支付 US$6.99")
  })
})

test("a live installation has no wallet", () => {
  const paths = livePages.map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith("/sandbox"))).toEqual([])
})
