import { Clock, Effect } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { countByCode } from "../../core/hosted/CodeLimit.ts"
import { Store } from "../../core/ports/Store.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
import { aManifest } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { slowDown, weigh } from "./support/measure.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

const WIDTHS = [320, 768, 1280]
const SHOWN = [360, 1280]

/** The most that the page of a payment may take to show, packed (bytes). */
const MOST_BYTES = 50 * 1024

let app: SiteApp
let serial = 0

beforeAll(async () => {
  app = await openSite()
})
afterAll(() => app.stop())

const aService = async (said: object = {}): Promise<string> => {
  const body = aManifest({ name: `Weather reports ${++serial}`, ...said })
  const { json } = await app.call("POST", "/v1/services", { body })
  const id = String(json["id"])
  await app.call("PATCH", `/v1/services/${id}/activate`)
  return id
}

const aPayment = async (said: object = {}): Promise<string> => {
  const service_id = await aService(said)
  const body = {
    service_id,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "Weather report for Lisbon, 7 days",
    return_url: "https://shop.example/orders/8842",
  }
  const key = app.buyer.api_key.key
  return String((await app.call("POST", "/v1/payment-intents", { key, body })).json["id"])
}

const simulate = (id: string, action: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { body: { action } })

/** Captures an approved payment, and waits until it has settled. */
const take = async (id: string) => {
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await simulate(id, "settle")
}

const open = (id: string, view: View = {}) => openPage(`${app.url}/pay/${id}`, view)

/** Looks at a page in both themes and at every width. */
const everyView = async (path: string, name: string): Promise<void> => {
  for (const theme of THEMES) {
    const page = await openPage(`${app.url}${path}`, { theme })
    for (const width of new Set([...WIDTHS, ...SHOWN])) {
      await page.setViewportSize({ width, height: 740 })
      await expectFitting(page)
      if (width !== 768) await expectAccessible(page)
      if (SHOWN.includes(width)) await screenshot(page, `${name}-${theme}-${width}`)
    }
  }
}

describe("the page of a payment", () => {
  browserTest(
    "is readable by everybody, at every width",
    async () => {
      await everyView(`/pay/${await aPayment()}`, "pay")
      await everyView(`/pay/${await aPayment({ default_channel: null })}`, "choice")
      await everyView(`/pay/${await aPayment()}?lang=zh`, "pay-zh")
      await everyView("/", "home")
    },
    120_000,
  )

  browserTest("follows the payment until it is paid, without being loaded again", async () => {
    const id = await aPayment()
    const page = await open(id)
    await page
      .locator("[data-left]")
      .filter({ hasText: /^1[45]:/ })
      .waitFor()
    await simulate(id, "scan")
    await page.getByRole("heading", { name: "Confirm in your wallet" }).waitFor()
    await simulate(id, "authorize")
    await page.getByRole("heading", { name: "Approved" }).waitFor()
    await take(id)
    await page.getByText("The seller has been told.").waitFor()
    expect(await page.getByRole("status").textContent()).toBe("Paid")
    const back = page.getByRole("link", { name: "Back to shop.example" })
    expect(await back.getAttribute("href")).toBe("https://shop.example/orders/8842")
    await expectAccessible(page)
    for (const width of SHOWN) {
      await page.setViewportSize({ width, height: 740 })
      await screenshot(page, `paid-${width}`)
    }
  })

  browserTest("follows the payment also where a proxy holds its events back", async () => {
    const id = await aPayment()
    const page = await openPage("about:blank")
    await page.route("**/events", () => undefined)
    await page.goto(`${app.url}/pay/${id}`)
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    await simulate(id, "authorize")
    await page.getByRole("heading", { name: "Approved" }).waitFor()
  })

  browserTest("copies its link also where the browser gives no clipboard", async () => {
    const page = await open(await aPayment())
    await page.evaluate(`{
      Object.defineProperty(navigator, "clipboard", { value: undefined })
      document.addEventListener("copy", () => (window.copied = document.activeElement.value))
    }`)
    await page.getByRole("button", { name: "Copy the link" }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    expect(await page.evaluate("window.copied")).toMatch(/^svc:\/\/pay\/pi_/)
  })

  browserTest("counts the service's time, though the browser has slept", async () => {
    const id = await aPayment()
    const page = await open(id)
    const left = page.locator("[data-left]")
    await left.filter({ hasText: /^1[45]:/ }).waitFor()
    // The service's clock goes on by ten minutes, and the browser's does not.
    const body = { seconds: 600 }
    await app.call("POST", "/v1/sandbox/clock/advance", { key: app.buyer.api_key.key, body })
    await left.filter({ hasText: /^0?4:/ }).waitFor()
  })

  browserTest.each([
    ["reject", "You declined"],
    ["insufficient_balance", "Not enough in your wallet"],
  ])("says what %s means as it happens", async (action, title) => {
    const id = await aPayment()
    const page = await open(id, { width: 360 })
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    await simulate(id, action)
    await page.getByRole("heading", { name: title }).waitFor()
    await expectAccessible(page)
    await screenshot(page, action)
  })

  browserTest("ends with its time", async () => {
    const id = await aPayment()
    const page = await open(id, { theme: "dark", width: 360 })
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    const body = { seconds: 901 }
    await app.call("POST", "/v1/sandbox/clock/advance", { key: app.buyer.api_key.key, body })
    await page.getByRole("heading", { name: "The time is over" }).waitFor()
    await screenshot(page, "expired-dark")
  })

  browserTest("offers several channels, by keyboard too", async () => {
    const id = await aPayment({ default_channel: null })
    const page = await open(id)
    await page.getByRole("button", { name: "Pay with Wallet B" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Scan with Wallet B" }).waitFor()
    await simulate(id, "authorize")
    await page.getByRole("heading", { name: "Approved" }).waitFor()
  })

  browserTest("works without scripts", async () => {
    const id = await aPayment({ default_channel: null })
    const page = await open(id, { scripts: false, width: 360 })
    await page.getByRole("button", { name: "Pay with Wallet A" }).click()
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    await page.getByText(/To be paid by (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/).waitFor()
    expect(await page.getByRole("button").count()).toBe(0)
    await simulate(id, "authorize")
    await page.reload()
    await page.getByRole("heading", { name: "Approved" }).waitFor()
  })

  browserTest("says the same of every link that leads nowhere", async () => {
    const page = await open("none", { width: 360, expected: /404/ })
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor()
    await expectAccessible(page)
    await screenshot(page, "nothing")
  })

  browserTest("is small, and comes to a slow phone whole", async () => {
    const id = await aPayment()
    const page = await openPage("about:blank", { width: 360 })
    await slowDown(page, 4)
    const { all } = await weigh(page, `${app.url}/pay/${id}`)
    expect(all).toBeLessThan(MOST_BYTES)
  })
})

describe("a printed code", () => {
  const one_time = [
    { amount: 699, currency: "USD", label: "7 days" },
    { amount: 1_999, currency: "USD", label: "30 days" },
  ]

  const open_amount = { currency: "USD", minimum: 100, maximum: 5_000 }

  browserTest.each(THEMES)("leads to a payment that is paid, in the %s theme", async (theme) => {
    const service = await aService({ qr_mode: "static", pricing: { one_time } })
    const page = await openPage(`${app.url}/pay/s/${service}`, { theme, width: 360 })
    await expectAccessible(page)
    await screenshot(page, `static-${theme}`)
    await page.getByRole("radio", { name: /30 days/ }).check()
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("heading", { name: /19\.99/ }).waitFor()
    const [, id = ""] = /\/pay\/(pi_[\w-]+)/.exec(page.url()) ?? []
    await simulate(id, "authorize")
    await take(id)
    await page.getByText("The seller has been told.").waitFor()
  })

  browserTest("takes an amount that its payer types", async () => {
    const service = await aService({ qr_mode: "static", pricing: { one_time, open_amount } })
    const page = await openPage(`${app.url}/pay/s/${service}`, { width: 320 })
    await page.getByLabel("Amount in USD").fill("12.50")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("heading", { name: /12\.50/ }).waitFor()
  })

  browserTest("says which amounts its seller takes, and keeps what was typed", async () => {
    const service = await aService({ qr_mode: "static", pricing: { one_time, open_amount } })
    const view = { width: 320, expected: /status of 422/ }
    const page = await openPage(`${app.url}/pay/s/${service}`, view)
    const next = page.getByRole("button", { name: "Continue" })
    const said = page.getByRole("alert")
    await page.getByRole("radio", { name: "Another amount" }).check()
    await next.click()
    const hint = "Enter an amount of at least $1.00 and at most $50.00, such as 12.50."
    await said.getByText(hint).waitFor()
    expect(await page.getByText("This cannot be paid right now").count()).toBe(0)
    expect(await page.getByRole("radio", { name: "Another amount" }).isChecked()).toBe(true)
    const amount = page.getByLabel("Amount in USD")
    await amount.fill("50.01")
    await next.click()
    await page.waitForFunction("document.querySelector('.amount').value === '50.01'")
    await said.getByText(hint).waitFor()
    await expectAccessible(page)
    await expectFitting(page)
    await screenshot(page, "static-typed-flaw")
    await amount.fill("12.50")
    await next.click()
    await page.getByRole("heading", { name: /12\.50/ }).waitFor()
  })

  browserTest("that is too busy says so, and when there is room again", async () => {
    const service = await aService({ qr_mode: "static" })
    const store = await app.run(Store)
    const now = await app.run(Clock.currentTimeMillis)
    // The next window is full as well, which may begin meanwhile.
    for (const at of [now, now + 10 * MINUTE]) {
      const full = countByCode(service, at)
      const commit = { writes: [], reservations: [{ ...full, add: full.limit }] }
      await Effect.runPromise(store.commit(commit))
    }
    for (const [locale, title] of [
      ["en-US", "Many people are paying here right now"],
      ["zh-CN", "当前付款人数较多"],
    ] as const) {
      const view = { width: 320, locale, expected: /status of 429/ }
      const page = await openPage(`${app.url}/pay/s/${service}`, view)
      await page.getByRole("button", { name: /6\.99/ }).click()
      await page.getByRole("heading", { name: title }).waitFor()
      await expectAccessible(page)
      await expectFitting(page)
      await screenshot(page, `busy-${locale}`)
      await page.getByRole("link", { name: /^(?:Try again|重试)$/ }).click()
      await page.getByRole("button", { name: /6\.99/ }).waitFor()
    }
  })

  browserTest(
    "is a sheet to print",
    async () => {
      const service = await aService({ qr_mode: "static", pricing: { one_time, open_amount } })
      await everyView(`/pay/s/${service}`, "static")
      await everyView(`/pay/s/${service}/code`, "printed")
    },
    60_000,
  )
})
