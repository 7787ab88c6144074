import { Effect } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { AddressGate } from "../../../adapters/shared/addresses/AddressGate.ts"
import { isOpenable } from "../../../adapters/pages/shared/isOpenable.ts"
import { countByCode } from "../../../core/hosted/CodeLimit.ts"
import { Store } from "../../../core/ports/Store.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { ADMIN_KEY, aManifest } from "../../support/app.ts"
import { openSite, type SiteApp } from "../../support/site.ts"

let app: SiteApp

beforeAll(async () => {
  app = await openSite()
})
afterAll(() => app.stop())

/** A service on sale. */
const aService = async (said: object = {}): Promise<string> => {
  const made = await app.call("POST", "/v1/services", { body: aManifest(said) })
  const id = String(made.json["id"])
  await app.call("PATCH", `/v1/services/${id}/activate`)
  return id
}

/** A payment by QR code, by default at `wallet_a`. */
const aPayment = async (said: object = {}, key = app.buyer.api_key.key): Promise<string> => {
  const service_id = await aService({ name: `Service ${serial++}` })
  const amount = { currency: "USD", value: 699 }
  const body = { service_id, type: "one_time", amount, description: "One report", ...said }
  const made = await app.call("POST", "/v1/payment-intents", { key, body })
  expect(made.status).toBe(201)
  return String(made.json["id"])
}
let serial = 0

const simulate = (id: string, action: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action },
  })

/** Captures an approved payment, and waits until it has settled. */
const paid = async (id: string) => {
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await simulate(id, "settle")
}

const page = async (path: string, headers: { readonly [name: string]: string } = {}) =>
  (await app.get(path, headers)).text()

const submit = (path: string, fields: { readonly [name: string]: string }, headers: object = {}) =>
  fetch(`${app.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin", ...headers },
    body: new URLSearchParams(fields),
  })

const attemptOn = (text: string) => /name="attempt" value="([^"]+)"/.exec(text)?.[1] ?? ""

const find = (id: string, key = app.buyer.api_key.key) =>
  app.call("GET", `/v1/payment-intents/${id}`, { key })

describe("the page of a payment", () => {
  test("shows who is paid how much for what, and the code to scan", async () => {
    const id = await aPayment({ payer_channel: "wallet_b", metadata: { secret: "order 8842" } })
    const text = await page(`/pay/${id}`)
    expect(text).toContain("$6.99")
    expect(text).toContain("One report")
    expect(text).toContain("The seller")
    expect(text).toContain(`href="svc://pay/${id}?channel=wallet_b"`)
    expect(text).toMatch(/alt="QR code to pay with [^"]+" src="data:image\/svg\+xml,%3Csvg/)
    expect(text).toContain('<meta http-equiv="refresh" content="10"/>')
    // The page contains nothing about other parties or the payee's settlement.
    expect(text).not.toMatch(/8842|agent-of-the|acct_|settlement|merchant/)
  })

  test.each([
    ["en-GB", { currency: "GBP", value: 123_456 }, "£1,234.56"],
    ["zh-CN", { currency: "CNY", value: 50 }, "¥0.50"],
    ["zh-CN", { currency: "USD", value: 100 }, "US$1.00"],
    ["en", { currency: "JPY", value: 500 }, "¥500"],
    ["en-u-nu-arab", { currency: "USD", value: 100 }, "$1.00"],
  ])("writes amounts as a reader of %s does", async (language, amount, shown) => {
    const id = await aPayment({ amount, payer_channel: "wallet_a" })
    expect(await page(`/pay/${id}`, { "accept-language": language })).toContain(shown)
  })

  test.each([
    ["scan", "Confirm in your wallet", true],
    ["authorize", "Approved", true],
    ["reject", "You declined", false],
    ["insufficient_balance", "Not enough in your wallet", false],
    ["close", "The payment did not go through", false],
  ])("says what has happened after %s, and what to do", async (action, title, live) => {
    const id = await aPayment({ return_url: "https://shop.example/orders/1?x=1" })
    await app.call("GET", `/pay/${id}`)
    await submit(`/pay/${id}/channel`, { channel: "wallet_a" })
    await simulate(id, action)
    const text = await page(`/pay/${id}`)
    expect(text).toContain(title)
    expect(text.includes('data-live="true"')).toBe(live)
    expect(text).not.toContain('class="qr"')
    expect(text).toContain('href="https://shop.example/orders/1?x=1" rel="noreferrer nofollow"')
    expect(text).toContain("Back to shop.example")
  })

  test("shows that it is paid, and what of it has gone back", async () => {
    const id = await aPayment({ payer_channel: "wallet_a" })
    await simulate(id, "authorize")
    await paid(id)
    const text = await page(`/pay/${id}`)
    expect(text).toContain("The seller has been told.")
    expect(text).not.toContain("refresh")
    const amount = { currency: "USD", value: 200 }
    const body = { payment_intent: id, amount, reason: "a late report" }
    expect((await app.call("POST", "/v1/refunds", { body })).status).toBe(201)
    expect(await page(`/pay/${id}`)).toContain("$2.00 of it has been refunded")
  })

  test("says so when the time is over, before anybody has noted it", async () => {
    const id = await aPayment()
    const clock = { key: app.buyer.api_key.key, body: { seconds: 901 } }
    await app.call("POST", "/v1/sandbox/clock/advance", clock)
    expect(await page(`/pay/${id}`)).toContain("The time is over")
  })

  test("is one answer for what is foreign, unknown or no id", async () => {
    const paths = ["pi_01997d3e-8a00-7000-8000-00000000dead", "pi_", "x".repeat(300), "%00"]
    const answers = await Promise.all(
      [...paths.map((id) => `/pay/${id}`), "/pay", "/pay/", "/pay/s/none", "/pay/a/b/c"].map(
        async (path) => {
          const answer = await app.get(path)
          return [answer.status, await answer.text()] as const
        },
      ),
    )
    for (const [status, text] of answers) {
      expect(status).toBe(404)
      expect(text).toBe(answers[0]?.[1])
    }
  })

  test("never lets a text become a part of the page", async () => {
    const name = `<b>Bold</b>"><script>alert(1)</script>${serial++}`
    const service_id = await aService({ name })
    const id = await aPayment({ service_id, description: "</p><img src=x onerror=alert(1)>" })
    const text = await page(`/pay/${id}`)
    expect(text).toContain("&lt;script>alert(1)&lt;/script>")
    expect(text).not.toMatch(/<img src|<script>|<b>/)
  })

  test("of a link is that link, and the code of it", async () => {
    const service_id = await aService({ name: `Service ${serial++}` })
    const { agent_id } = app.buyer
    const amount = { currency: "USD", value: 699 }
    const body = { service_id, amount, description: "One report", payer: { agent_id } }
    const key = app.buyer.api_key.key
    const { json } = await app.call("POST", "/v1/payments/one-time", { key, body })
    const text = await page(`/pay/${String(json["id"])}`)
    expect(text).toContain(`href="${String(json["deeplink"]).replaceAll("&", "&amp;")}"`)
    expect(text).toContain("data:image/svg+xml")
  })

  test("refuses bidirectional text where it comes in", async () => {
    const key = app.buyer.api_key.key
    const service_id = await aService({ name: `Service ${serial++}` })
    const amount = { currency: "USD", value: 1 }
    const description = "pay \u202e99.6$"
    const body = { service_id, type: "one_time", amount, description }
    expect((await app.call("POST", "/v1/payment-intents", { key, body })).status).toBe(422)
  })

  test("is told of changes as they happen, and until the last", async () => {
    const id = await aPayment({ payer_channel: "wallet_a" })
    const answer = await app.get(`/pay/${id}/events`)
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
    await simulate(id, "authorize")
    await paid(id)
    const told = await answer.text()
    const data = [...told.matchAll(/^data: (.*)$/gm)].map(
      ([, json = ""]) => JSON.parse(json) as object,
    )
    expect(data[0]).toMatchObject({ status: "qr_generated" })
    expect(data.at(-1)).toMatchObject({ status: "succeeded" })
    expect((await app.get("/pay/pi_none/events")).status).toBe(404)
  })

  test("is refused its events beyond its address's limit, and told when to ask again", async () => {
    const pageLimits = { perSecond: 0.01, burst: 3, mostAddresses: 10 }
    const limited = await openSite({ gate: new AddressGate({ pageLimits }) })
    const answers: Array<Response> = []
    for (let n = 0; n < 5; n += 1) answers.push(await limited.get("/pay/pi_none/events"))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429, 429])
    const last = answers.at(-1)
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(last?.headers.get("content-type")).toContain("text/html")
    await limited.stop()
  })
})

describe("several channels", () => {
  /** A payment whose payer chooses the channel. */
  const aChoice = async () => {
    const service_id = await aService({ name: `Choice ${serial++}`, default_channel: null })
    return aPayment({ service_id })
  }

  test("are chosen by a form, once, which closes the others", async () => {
    const id = await aChoice()
    const text = await page(`/pay/${id}`)
    expect(text).toContain("How would you like to pay?")
    expect(text).toContain(`action="/pay/${id}/channel"`)
    expect(text).not.toContain('class="qr"')
    const offered = await find(id)
    const chosen = await submit(`/pay/${id}/channel`, { channel: "wallet_b" })
    expect([chosen.status, chosen.headers.get("location")]).toEqual([303, `/pay/${id}`])
    expect((await find(id)).json).toMatchObject({ channel: "wallet_b", status: "qr_generated" })
    expect(offered.json["channel"]).toBe(null)
    // Again, and another one: it stays.
    expect((await submit(`/pay/${id}/channel`, { channel: "wallet_a" })).status).toBe(303)
    expect(await page(`/pay/${id}`)).toContain(`svc://pay/${id}?channel=wallet_b`)
    expect((await simulate(id, "authorize")).status).toBe(200)
    expect((await find(id)).json).toMatchObject({ channel: "wallet_b", status: "authorized" })
  })

  test("a channel that is not offered is none", async () => {
    const id = await aChoice()
    expect((await submit(`/pay/${id}/channel`, { channel: "wallet_f" })).status).toBe(404)
    expect((await submit(`/pay/${id}/channel`, {})).status).toBe(404)
  })

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a site beside", { "sec-fetch-site": "same-site" }],
    ["another origin", { "sec-fetch-site": undefined, origin: "https://evil.example" }],
    ["nobody knows where", { "sec-fetch-site": undefined }],
    ["an opaque origin", { "sec-fetch-site": undefined, origin: "null" }],
  ])("a form from %s does nothing", async (_, said) => {
    const id = await aChoice()
    const headers = Object.fromEntries(Object.entries(said).filter(([, value]) => value))
    const answer = await fetch(`${app.url}/pay/${id}/channel`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ channel: "wallet_a" }),
    })
    expect(answer.status).toBe(403)
    expect((await find(id)).json["channel"]).toBe(null)
  })

  test("a form of a page over plain HTTP names its origin", async () => {
    const id = await aChoice()
    const answer = await fetch(`${app.url}/pay/${id}/channel`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: app.url },
      body: new URLSearchParams({ channel: "wallet_a" }),
    })
    expect(answer.status).toBe(303)
  })
})

describe("a printed code", () => {
  const prices = [
    { amount: 699, currency: "USD", label: "7 days" },
    { amount: 1_999, currency: "USD", label: "30 days" },
  ]
  const aCode = (said: object = {}) =>
    aService({
      name: `Code ${serial++}`,
      qr_mode: "static",
      pricing: { one_time: prices },
      ...said,
    })

  test("lets its payer pick a price, and makes the payment then, once", async () => {
    const service = await aCode()
    const code = await app.call("GET", `/v1/services/${service}/qr`)
    expect(code.json["scan_url"]).toBe(`http://payport.test/pay/s/${service}`)
    const text = await page(`/pay/s/${service}?channel=wallet_b`)
    expect(text).toContain("$19.99")
    const fields = { price: "1999 USD 30 days", channel: "wallet_b", attempt: attemptOn(text) }
    const first = await submit(`/pay/s/${service}`, fields)
    const again = await submit(`/pay/s/${service}`, fields)
    expect([first.status, again.status]).toEqual([303, 303])
    expect(again.headers.get("location")).toBe(first.headers.get("location"))
    const [, id = ""] =
      /^\/pay\/(pi_[\w-]+)\?from=code$/.exec(first.headers.get("location") ?? "") ?? []
    const made = await app.call("GET", `/v1/payment-intents/${id}`)
    expect(made.json).toMatchObject({
      amount: { currency: "USD", value: 1_999 },
      description: "30 days",
      channel: "wallet_b",
      payer: { agent_id: null },
      status: "qr_generated",
    })
    expect(await page(`/pay/${id}`)).toContain("$19.99")
    const all = await app.call("GET", "/v1/payment-intents")
    const own = (all.json["data"] as ReadonlyArray<{ service_id: string }>).filter(
      ({ service_id }) => service_id === service,
    )
    expect(own).toHaveLength(1)
  })

  test("is one step away from a payment of it that has ended unpaid", async () => {
    const service = await aCode()
    const pay = async (query: string) => {
      const attempt = attemptOn(await page(`/pay/s/${service}`))
      const made = await submit(`/pay/s/${service}${query}`, { price: "1999 USD 30 days", attempt })
      return made.headers.get("location") ?? ""
    }
    const idOf = (path: string) => /(pi_[\w-]+)/.exec(path)?.[1] ?? ""
    const act = (path: string, action: string) =>
      app.call("POST", `/v1/sandbox/payment-intents/${idOf(path)}/simulate`, { body: { action } })
    const again = `href="/pay/s/${service}"`
    const [declined, chinese, approved] = [await pay(""), await pay("?lang=zh"), await pay("")]
    const chosen = await submit(declined.replace("?", "/channel?"), { channel: "wallet_a" })
    expect(chosen.headers.get("location")).toBe(declined)
    expect(await page(declined)).not.toContain(again)
    for (const path of [declined, chinese]) {
      expect(await page(path)).toContain("from=code")
      await act(path, "reject")
    }
    expect(await page(declined)).toContain(again)
    expect(await page(declined)).toContain("scan the code once more")
    expect(await page(chinese)).toContain(`href="/pay/s/${service}?lang=zh"`)
    expect(await page(`/pay/${idOf(declined)}`)).not.toContain(again)
    await act(approved, "authorize")
    expect(await page(approved)).not.toContain(again)
    await app.call("PATCH", `/v1/services/${service}/pause`)
    expect(await page(declined)).not.toContain(again)
  })

  test("answers an attempt that has made its payment, whatever the price is now", async () => {
    const name = `Code ${serial++}`
    const service = await aCode({ name })
    const attempt = attemptOn(await page(`/pay/s/${service}`))
    const send = (attempted: string) =>
      submit(`/pay/s/${service}`, { price: "699 USD 7 days", attempt: attempted })
    const first = await send(attempt)
    expect(await aCode({ name, pricing: { one_time: prices.slice(1) } })).toBe(service)
    const again = await send(attempt)
    expect([first.status, again.status]).toEqual([303, 303])
    expect(again.headers.get("location")).toBe(first.headers.get("location"))
    expect((await send(attemptOn(await page(`/pay/s/${service}`)))).status).toBe(422)
  })

  const hints: ReadonlyArray<[string, { minimum?: number; maximum?: number }, string, number]> = [
    ["USD", { minimum: 2_000, maximum: 5_000 }, "20.00", 2_000],
    ["USD", { maximum: 1_000 }, "10.00", 1_000],
    ["USD", { minimum: 100 }, "12.50", 1_250],
    ["JPY", { minimum: 500 }, "500", 500],
    ["JPY", {}, "12", 12],
  ]
  test.each(hints)("hints at an amount in %s, %j, that its seller takes", async (...said) => {
    const [currency, bounds, example, value] = said
    const one_time = [{ amount: 1_000, currency, label: "7 days" }]
    const service = await aCode({ pricing: { one_time, open_amount: { currency, ...bounds } } })
    const type = async (amount: string, query = "") => {
      const attempt = attemptOn(await page(`/pay/s/${service}`))
      return submit(`/pay/s/${service}${query}`, { price: "open", amount, attempt })
    }
    expect(await (await type("")).text()).toContain(`such as ${example}.`)
    expect(await (await type("", "?lang=zh")).text()).toContain(`例如 ${example}。`)
    const made = await type(example)
    const [, id = ""] =
      /^\/pay\/(pi_[\w-]+)\?from=code$/.exec(made.headers.get("location") ?? "") ?? []
    const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
    expect(json["amount"]).toEqual({ currency, value })
  })

  test("keeps its channel in another language and after a refused amount", async () => {
    const open_amount = { currency: "USD", minimum: 100 }
    const service = await aCode({ pricing: { one_time: prices, open_amount } })
    const hidden = '<input type="hidden" name="channel" value="wallet_b"/>'
    const text = await page(`/pay/s/${service}?channel=wallet_b`)
    expect(text).toContain(hidden)
    const [, other = ""] = /href="([^"]+)" lang="zh"/.exec(text) ?? []
    const chinese = await page(other.replaceAll("&amp;", "&"))
    expect(chinese).toContain(hidden)
    const [, action = ""] = /method="post" action="([^"]+)"/.exec(chinese) ?? []
    const form = { price: "open", attempt: attemptOn(chinese), channel: "wallet_b" }
    const address = action.replaceAll("&amp;", "&")
    const refused = await submit(address, { ...form, amount: "0.01" })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain(hidden)
    // A channel that cannot be used any more is not asked for again.
    const unknown = { ...form, amount: "5", channel: "wallet_c" }
    const without = await submit(address.replace("wallet_b", "wallet_c"), unknown)
    expect(without.status).toBe(422)
    expect(await without.text()).not.toContain('name="channel"')
  })

  test("lets an amount be typed where its seller takes that", async () => {
    const open_amount = { currency: "USD", minimum: 100, maximum: 5_000 }
    const service = await aCode({ pricing: { one_time: prices, open_amount } })
    const text = await page(`/pay/s/${service}`)
    expect(text).toContain("Another amount")
    expect(text).toContain("$1.00 – $50.00")
    const type = async (amount: string) => {
      const attempt = attemptOn(await page(`/pay/s/${service}`))
      return submit(`/pay/s/${service}`, { price: "open", amount, attempt })
    }
    const made = await type(" 12.5 ")
    const [, id = ""] =
      /^\/pay\/(pi_[\w-]+)\?from=code$/.exec(made.headers.get("location") ?? "") ?? []
    const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
    expect(json["amount"]).toEqual({ currency: "USD", value: 1_250 })
    for (const amount of ["0.99", "50.01", "12.345", "-12", "1e1", "12,50", "", "９"]) {
      const refused = await type(amount)
      expect([amount, refused.status]).toEqual([amount, 422])
      const said = await refused.text()
      expect(said).toContain("Enter an amount of at least $1.00 and at most $50.00")
      if (amount !== "") expect(said).toContain(`value="${amount}"`)
    }
    const attacked = await type('"><script>x')
    expect(await attacked.text()).not.toContain("<script>x")
    const closed = await aCode()
    const attempt = attemptOn(await page(`/pay/s/${closed}`))
    const typed = await submit(`/pay/s/${closed}`, { price: "open", amount: "12.50", attempt })
    expect(typed.status).toBe(422)
  })

  test.each([
    ["bounds that leave nothing", { currency: "USD", minimum: 2, maximum: 1 }],
    ["a currency that nobody knows", { currency: "XQQ" }],
    ["no whole number", { currency: "USD", minimum: 0.5 }],
  ])("its seller cannot name %s", async (_, open_amount) => {
    const body = aManifest({ name: "Typed", pricing: { one_time: prices, open_amount } })
    const { json, status } = await app.call("POST", "/v1/services", { body })
    expect([status, json["code"]]).toEqual([422, "INVALID_PRICING"])
  })

  test("is printed as a link that any phone opens", async () => {
    const service = await aCode()
    const text = await page(`/pay/s/${service}/code`)
    expect(text).toContain("Scan to pay")
    expect(text).toContain("data:image/svg+xml,%3Csvg")
  })

  test.each([
    ["that is not there", { price: "399 USD 7 days" }, 422],
    ["that is none", { price: "1e0" }, 422],
    ["that has another amount by now", { price: "599 USD 7 days" }, 422],
    ["that has another currency by now", { price: "699 EUR 7 days" }, 422],
    ["that is for something else by now", { price: "699 USD 30 days" }, 422],
    ["that is not said", { price: "0" }, 422],
    ["on a channel that it has not", { price: "699 USD 7 days", channel: "wallet_f" }, 422],
    ["without its form", { price: "699 USD 7 days", attempt: "x" }, 422],
  ])("makes no payment of a price %s", async (_, said, status) => {
    const service = await aCode()
    const attempt = attemptOn(await page(`/pay/s/${service}`))
    const answer = await submit(`/pay/s/${service}`, { attempt, ...said })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain("This cannot be paid right now.")
  })

  test("is there for static services on sale alone", async () => {
    const dynamic = await aService({ name: `Service ${serial++}` })
    const ended = await aCode()
    await app.call("PATCH", `/v1/services/${ended}/deprecate`)
    const never = await aService({ name: `Service ${serial++}` })
    await app.call("PATCH", `/v1/services/${never}/pause`)
    for (const service of [dynamic, ended, never, "01997d3e-8a00-7000-8000-00000000dead"]) {
      expect((await app.get(`/pay/s/${service}`)).status).toBe(404)
      expect((await submit(`/pay/s/${service}`, { price: "0" })).status).toBe(404)
    }
  })

  test("says of a paused service that it is paused, and nothing else of it", async () => {
    const name = `Service ${serial++}`
    const service = await aService({ name, qr_mode: "static" })
    const attempt = attemptOn(await page(`/pay/s/${service}`))
    await app.call("PATCH", `/v1/services/${service}/pause`)
    const price = "699 USD 7 days"
    for (const answer of [
      await app.get(`/pay/s/${service}`),
      await app.get(`/pay/s/${service}/code`),
      await submit(`/pay/s/${service}`, { price, attempt }),
    ]) {
      expect(answer.status).toBe(409)
      const text = await answer.text()
      expect(text).toContain("This service is paused")
      expect(text).toContain("Only the seller can resume it.")
      expect(text).not.toContain(name)
    }
    expect(await (await app.get(`/pay/s/${service}?lang=zh`)).text()).toContain("此服务已暂停")
    await app.call("PATCH", `/v1/services/${service}/resume`)
    expect(await page(`/pay/s/${service}`)).toContain(name)
  })

  test("makes so many payments in ten minutes, however many networks scan it", async () => {
    const [service, other] = [await aCode(), await aCode()]
    const pay = async (code: string, attempt: string) =>
      submit(`/pay/s/${code}`, { price: "699 USD 7 days", attempt })
    const attempt = async (code: string) => attemptOn(await page(`/pay/s/${code}`))
    const [one, two] = [await attempt(service), await attempt(service)]
    const first = await pay(service, one)
    const [, id = ""] = /\/pay\/(pi_[\w-]+)/.exec(first.headers.get("location") ?? "") ?? []
    const made = Date.parse(String((await find(id, app.seller.api_key.key)).json["created_at"]))
    const store = await app.run(Store)
    const { limit } = countByCode(service, made)
    // The next window is full as well, which may begin before the next payment.
    for (const [at, add] of [
      [made, limit - 1],
      [made + 10 * MINUTE, limit],
    ] as const) {
      const taken = { ...countByCode(service, at), add }
      await Effect.runPromise(store.commit({ writes: [], reservations: [taken] }))
    }
    const refused = await pay(service, two)
    expect([first.status, refused.status]).toEqual([303, 429])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const said = await refused.text()
    expect(said).toContain("Many people are paying here right now")
    expect(said).toMatch(/Nothing was paid.*There is room again/)
    expect(said).toContain(`href="/pay/s/${service}">Try again</a>`)
    const inChinese = await submit(`/pay/s/${service}?lang=zh`, {
      price: "699 USD 7 days",
      attempt: two,
    })
    expect(await inChinese.text()).toMatch(/未发生付款。.*分钟后可继续付款/)
    expect((await pay(service, one)).status).toBe(303)
    expect((await pay(other, await attempt(other))).status).toBe(303)
  })

  test("makes ten payments at once for an address, and one a second", async () => {
    const limited = await openSite({ gate: new AddressGate() })
    const post = () =>
      fetch(`${limited.url}/pay/s/01997d3e-8a00-7000-8000-00000000dead`, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ price: "0" }),
      })
    const answers: Array<Response> = []
    for (let n = 0; n < 12; n += 1) answers.push(await post())
    expect(answers.slice(0, 10).every(({ status }) => status === 404)).toBe(true)
    const refused = answers.find(({ status }) => status === 429)
    expect(await refused?.text()).toMatch(/Nothing was paid\..*\?lang=en">Try again<\/a>/s)
    await limited.stop()
  })
})

test.each([
  ["svc://pay/pi_1?channel=wallet_a", true],
  ["https://bank.example/pay?x=1", true],
  ["own-bank://pay/1", true],
  ["00020101021226", false],
  ["//bank.example/pay", false],
  [" JavaScript:alert(1)", false],
  ["java\tscript:alert(1)", false],
  ["data:text/html,hi", false],
])("of a code that holds %o a phone is offered the link: %o", (content, offered) => {
  expect(isOpenable(content)).toBe(offered)
})

test("no path and no query of a page is answered with an error of ours", async () => {
  const characters = fc.string({ unit: "binary", maxLength: 40 })
  const paths = fc.oneof(
    fc.tuple(fc.constantFrom("/pay/", "/pay/s/", "/assets/", "/"), characters),
    fc.tuple(fc.constant("/pay/pi_x?lang="), characters),
  )
  await fc.assert(
    fc.asyncProperty(paths, fc.constantFrom("GET", "POST"), async ([start, rest], method) => {
      const target = `${start}${encodeURI(rest.toWellFormed())}`
      const answer = await fetch(`${app.url}${target}`, {
        method,
        redirect: "manual",
        headers: { "sec-fetch-site": "same-origin" },
        ...(method === "POST" && { body: new URLSearchParams({ price: rest, channel: rest }) }),
      })
      expect(answer.status).toBeLessThan(500)
      await answer.arrayBuffer()
    }),
    { numRuns: 150 },
  )
})

describe("the demo of a sandbox", () => {
  let demoKey = ""

  test("makes one offer of its seller, and payments, by its form alone", async () => {
    expect((await app.get("/sandbox/demo")).status).toBe(404)
    const fields = { name: "Demo seller", kind: "seller", agent_id: "demo-seller" }
    const made = await app.call("POST", "/v1/accounts", { key: ADMIN_KEY, body: fields })
    const { key } = made.json["api_key"] as { readonly key: string }
    demoKey = key
    const offers = () => app.call("GET", "/v1/services?q=demo", { key })
    const text = await page("/sandbox/demo")
    expect(text).toContain("Pay $6.99")
    expect((await offers()).json["pagination"]).toMatchObject({ total: 0 })
    const attempts = [attemptOn(text), attemptOn(await page("/sandbox/demo"))]
    const paths = await Promise.all(
      attempts.map(async (attempt) => {
        const answer = await submit("/sandbox/demo", {
          attempt,
          price: "699 USD One paper, summed up",
        })
        expect(answer.status).toBe(303)
        return answer.headers.get("location") ?? ""
      }),
    )
    expect(new Set(paths).size).toBe(2)
    expect(await page(paths[0] ?? "")).toContain("One paper, summed up")
    expect((await offers()).json["pagination"]).toMatchObject({ total: 1 })
  })

  test("goes on after the payer's part: the seller delivers, and its console is next", async () => {
    const attempt = attemptOn(await page("/sandbox/demo"))
    const made = await submit("/sandbox/demo", { attempt, price: "699 USD One paper, summed up" })
    const path = made.headers.get("location") ?? ""
    const [, id = ""] = /(pi_[\w-]+)/.exec(path) ?? []
    await submit(`${path}/channel`, { channel: "wallet_a" })
    const body = { action: "authorize" }
    await app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { key: demoKey, body })
    const action = `/sandbox/demo/${id}/deliver`
    expect(await page(path)).toContain(`action="${action}"`)
    expect((await submit(action, {}, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect(await page(path)).toContain("Deliver, as the seller")
    const delivered = await submit(action, {})
    expect([delivered.status, delivered.headers.get("location")]).toEqual([303, path])
    expect((await submit(action, {})).status).toBe(303)
    const text = await page(path)
    expect(text).toContain("What has happened")
    expect(text).toContain(`href="/console/payments/${id}"`)
    expect(text).toContain('href="/docs/guides/start"')
    expect(await page(`${path}?lang=zh`)).toContain("以商家身份查看")
    const other = await aPayment({ payer_channel: "wallet_a" })
    await simulate(other, "authorize")
    expect(await page(`/pay/${other}`)).not.toMatch(/sandbox\/demo|console/)
    expect((await submit(`/sandbox/demo/${other}/deliver`, {})).status).toBe(404)
    expect((await find(other)).json["status"]).toBe("authorized")
  })
})
