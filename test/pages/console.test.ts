import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { runDue } from "../../core/work/runDue.ts"
import { activeService, authorizedPayment, enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { weigh } from "./support/measure.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
let receiver: Server
let answer = 200
let service = ""

beforeAll(async () => {
  receiver = createServer((_request, response) => void response.writeHead(answer).end("noted"))
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  app = await openSite()
  await enlarge(app, app.seller.id)
  service = await activeService(app)
})
afterAll(async () => {
  await app.stop()
  receiver.close()
})

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

/** A payment that was captured and has settled. */
const settled = async (value = 699): Promise<string> => {
  const id = await authorizedPayment(app, service, value)
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await advance(5)
  return id
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const enter = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key)
  await button(page, "Sign in").click()
}

/** Opens a view of the console, signed in with a key. */
const open = async (key: string, path: string, view: View = {}): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, view)
  await enter(page, key)
  await page.locator("main#view h1").waitFor()
  return page
}

const seller = (path: string, view: View = {}) => open(app.seller.api_key.key, path, view)

/** Checks the page's accessibility and width, and takes a screenshot. */
const inspect = async (page: Page, name: string) => {
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, name)
}

describe("the door", () => {
  browserTest("opens to a key, and closes behind whoever leaves", async () => {
    const page = await openPage(`${app.url}/console`)
    await inspect(page, "console-door")
    await enter(page, app.seller.api_key.key)
    await page.getByRole("heading", { name: "Payments" }).waitFor()
    expect(await page.content()).not.toContain(app.seller.api_key.key)
    expect(await page.evaluate("document.cookie + JSON.stringify(localStorage)")).toBe("{}")
    await button(page, "Sign out").click()
    await page.getByText("You have signed out.").waitFor()
    await page.reload()
    await page.getByLabel("API key").waitFor()
  })

  browserTest("says of a wrong key that it is wrong", async () => {
    const page = await openPage(`${app.url}/console`, { expected: /status of 401/ })
    await enter(page, "sk_test_wrong")
    await page.getByRole("alert").getByText("unknown, was revoked or has expired").waitFor()
    await inspect(page, "console-wrong-key")
  })

  browserTest("is there again as soon as the key is revoked", async () => {
    const issued = await app.call("POST", "/v1/api-keys", { body: {} })
    const page = await open(String(issued.json["key"]), "/payments", { expected: /status of 401/ })
    await app.call("DELETE", `/v1/api-keys/${String(issued.json["id"])}`)
    // A request that is under way may hear of it first, and then there is nothing to refresh.
    const refreshed = button(page, "Refresh").click({ timeout: 2_000 })
    await refreshed.catch(() => undefined)
    await page.getByText("Your session has ended.").waitFor()
    expect(await page.locator("main#view").count()).toBe(0)
  })
})

describe("a seller", () => {
  browserTest("forgives an invoice, which nobody has to pay any more", async () => {
    const plan = { plan_id: "day", name: "A day", amount: 100, currency: "USD", interval: "daily" }
    const plans = await activeService(app, {
      name: "Every day",
      payment_methods: { subscription: true },
      pricing: { subscription: [plan] },
    })
    const key = app.buyer.api_key.key
    const path = `/v1/service-manifests/${plans}/subscribe`
    const made = await app.call("POST", path, { key, body: { plan_id: "day" } })
    expect(made.status).toBe(201)
    const page = await seller("/invoices")
    await page.getByRole("button", { name: "Void 1.00 USD" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("nobody has to pay it any more").waitFor()
    await dialog.getByRole("button", { name: "Void" }).click()
    await expect.poll(() => page.getByRole("button", { name: "Void 1.00 USD" }).count()).toBe(0)
    const invoice = `/v1/invoices/${String(made.json["latest_invoice"])}`
    expect((await app.call("GET", invoice, { key })).json["status"]).toBe("void")
  })

  browserTest("finds each of more than a hundred invoices and subscriptions", async () => {
    const plan = { plan_id: "week", name: "A week", amount: 10, currency: "USD" }
    const plans = await activeService(app, {
      name: "Every week",
      payment_methods: { subscription: true },
      pricing: { subscription: [{ ...plan, interval: "weekly" }] },
    })
    const path = `/v1/service-manifests/${plans}/subscribe`
    for (let n = 0; n < 101; n += 1) {
      const body = { plan_id: "week", payer: { agent_id: `agent-${n}` } }
      const subscribe = () => app.call("POST", path, { key: app.buyer.api_key.key, body })
      // A channel takes only so many new payments of an account in a second.
      const options = { interval: 200, timeout: 10_000 }
      await expect.poll(async () => (await subscribe()).status, options).not.toBe(503)
    }
    for (const view of ["subscriptions", "invoices"]) {
      const { json } = await app.call("GET", `/v1/${view}?limit=1`)
      const { total } = json["pagination"] as { readonly total: number }
      const page = await seller(`/${view}`)
      await page.getByText(`The latest 100 of ${total}`).waitFor()
      await page.getByRole("link", { name: "Older" }).click()
      await page.getByText(`101 to ${total} of ${total}`).waitFor()
      expect(await page.locator("table.plain tbody tr").count()).toBe(total - 100)
      await inspect(page, `console-older-${view}`)
      await page.getByRole("link", { name: "Newer" }).click()
      await page.getByText(`The latest 100 of ${total}`).waitFor()
    }
  })

  browserTest("refunds a payment, and sees the access go on its timeline", async () => {
    const id = await settled()
    const page = await seller(`/payments/${id}`)
    await button(page, "Refund").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Amount in USD").fill("7")
    await expect.poll(() => dialog.getByRole("button", { name: "Refund" }).isDisabled()).toBe(true)
    await dialog.getByLabel("Amount in USD").fill("2.5")
    await dialog.getByLabel("Reason").fill("Not delivered")
    await dialog.getByLabel(/Access to take back/).fill("access_token tok_8F3a read:detail")
    await inspect(page, "console-refund")
    await button(page, "Refund 2.50 USD").click()
    await page.getByText(/^Refund of 2.50 USD\s*Pending$/).waitFor()
    await advance(60)
    await button(page, "Refresh").click()
    const revoked = page.locator("li", { hasText: "Access of access_token tok_8F3a" })
    await revoked.getByText("Revoked", { exact: true }).waitFor()
    await page.getByText(/^Refund of 2.50 USD\s*Succeeded$/).waitFor()
    await inspect(page, "console-timeline")
    const { json } = await app.call("GET", `/v1/refunds?payment_intent=${id}`)
    expect(json["data"]).toMatchObject([
      { amount: { value: 250, currency: "USD" }, reason: "Not delivered", status: "succeeded" },
    ])
  })

  browserTest("replays a delivery that failed", async () => {
    const { port } = receiver.address() as AddressInfo
    const body = { url: `http://127.0.0.1:${port}/`, enabled_events: ["*"] }
    const made = await app.call("POST", "/v1/webhook-endpoints", { body })
    answer = 404
    await app.call("POST", `/v1/webhook-endpoints/${String(made.json["id"])}/test`, { body: {} })
    await app.run(runDue())
    answer = 200
    const page = await seller("/deliveries?status=failed", { expected: /ERR_FAILED|401/ })
    await page.getByRole("link", { name: "ping" }).first().click()
    await page.getByText("404", { exact: true }).waitFor()
    await inspect(page, "console-delivery")
    await button(page, "Replay").click()
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click()
    await page.getByText("an earlier delivery").waitFor()
    await app.run(runDue())
    await button(page, "Refresh").click()
    await page.getByText("200", { exact: true }).waitFor()

    // A replay without an answer is the first of the list.
    const shown = page.url()
    await page.route("**/replay", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button(page, "Replay").click()
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click()
    await page.getByText("The service did not answer.").waitFor()
    await button(page, "Not now").click()
    await page.getByRole("link", { name: "ping" }).first().click()
    await page.getByText("an earlier delivery").waitFor()
    expect(page.url()).not.toBe(shown)
  })

  browserTest("captures once, however often the button is pressed", async () => {
    const id = await authorizedPayment(app, service, 700)
    const page = await seller(`/payments/${id}`)
    await button(page, "Capture").click()
    await button(page, "Capture 7.00 USD").dblclick()
    await page.getByRole("heading", { name: /7.00 USD Captured/ }).waitFor()
    const timeline = await app.call("GET", `/v1/payment-intents/${id}/timeline`)
    const asked = timeline.text.match(/"action":"capture"/g)
    expect(asked).toHaveLength(1)
  })

  browserTest("captures a part, and says what becomes of the rest", async () => {
    const id = await authorizedPayment(app, service, 700)
    const page = await seller(`/payments/${id}`)
    await button(page, "Capture").click()
    const dialog = page.getByRole("dialog")
    const amount = dialog.getByLabel("Amount in USD")
    for (const wrong of ["7.01", "0", "", "x"]) {
      await amount.fill(wrong)
      expect(await amount.getAttribute("aria-invalid")).toBe("true")
      expect(await button(page, "Capture").last().isDisabled()).toBe(true)
    }
    await amount.fill("2.50")
    const note = await amount.getAttribute("aria-describedby")
    expect(await page.locator(`[id="${note}"]`).textContent()).toBe(
      "The rest, 4.50 USD, is released for good.",
    )
    await inspect(page, "console-capture")
    await amount.press("Enter")
    await page.getByRole("heading", { name: /7.00 USD Captured/ }).waitFor()
    const { json } = await app.call("GET", `/v1/payment-intents/${id}`)
    expect(json).toMatchObject({ captured_amount: { currency: "USD", value: 250 } })
  })

  browserTest("captures the whole alone where the channel takes no parts", async () => {
    const channels = { accepted_channels: ["business_a"], default_channel: "business_a" }
    const banked = await activeService(app, { name: "By business", ...channels })
    const id = await authorizedPayment(app, banked, 700, "business_a")
    const page = await seller(`/payments/${id}`)
    await button(page, "Capture").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("business_a cannot capture a part of a payment.").waitFor()
    expect(await dialog.getByLabel("Amount in USD").getAttribute("readonly")).not.toBeNull()
    await button(page, "Capture 7.00 USD").click()
    await page.getByRole("heading", { name: /7.00 USD Captured/ }).waitFor()
  })

  const views = THEMES.flatMap((theme) => [360, 1280].map((width) => ({ theme, width })))
  const paths = [
    "payments",
    "refunds",
    "balance",
    "reports",
    "overview",
    "services",
    "subscriptions",
    "invoices",
    "webhooks",
    "deliveries",
    "keys",
  ]

  browserTest.each(views)("sees every view, $theme and $width wide", async ({ theme, width }) => {
    const page = await seller("/payments", { theme, width })
    for (const path of paths) {
      await page.goto(`${app.url}/console/${path}`)
      await page.waitForLoadState("networkidle")
      await inspect(page, `console-${path}-${theme}-${width}`)
    }
  })
})

describe("a buyer", () => {
  browserTest("sees agents, installs with their budgets, and nothing of a seller's", async () => {
    const key = app.buyer.api_key.key
    const cap = { amount: { currency: "USD", value: 2_000 }, period: "monthly" }
    await app.call("POST", `/v1/services/${service}/installs`, { key, body: { spend_cap: cap } })
    const page = await open(key, "/installs")
    await page.getByText("of 20.00 USD").waitFor()
    await inspect(page, "console-installs")
    await page.getByRole("link", { name: "Agents" }).click()
    await page.getByText("agent-of-the-buyer").first().waitFor()
    await inspect(page, "console-agents")
    expect(await page.getByRole("link", { name: "Balance" }).count()).toBe(0)
    await page.goto(`${app.url}/console/balance`)
    await page.getByText("There is no such view").waitFor()
  })
})

describe("a refund request", () => {
  browserTest("is made by the buyer, and approved by the seller", async () => {
    const id = await settled(650)
    const buyer = await open(app.buyer.api_key.key, `/payments/${id}`)
    await button(buyer, "Ask for a refund").click()
    await buyer.getByLabel("Amount in USD").fill("1.5")
    const reason = `<b onclick="x()">Half</b> of it`
    await buyer.getByLabel("Reason").fill(reason)
    await button(buyer, "Ask the seller").click()
    await buyer.getByText(reason, { exact: true }).waitFor()
    const page = await seller("/refund-requests")
    await page.getByText(reason, { exact: true }).waitFor()
    await inspect(page, "console-refund-requests")
    await page.getByRole("link", { name: "1.50 USD" }).click()
    await page.getByRole("button", { name: "Approve this request" }).click()
    await button(page, "Approve").click()
    await page.getByText(/^Refund of 1.50 USD\s*Pending$/).waitFor()
    await inspect(page, "console-request-approved")
  })
})

const PAGE = 5_000

/** Answers the list of payments in the page itself, with 100,000 of them. */
const PLAYED = `
  const real = globalThis.fetch
  let asked = 0
  const payment = (n) => ({
    id: "pi_00000000-0000-7000-8000-" + String(n).padStart(12, "0"),
    status: ["succeeded", "failed", "expired"][n % 3],
    amount: { currency: "USD", value: 100 + n },
    description: "Paper " + n,
    payer: { agent_id: "agent-" + (n % 97), human_id: null },
    channel: "wallet_a",
    created_at: "2026-01-31T08:00:00.000Z",
  })
  globalThis.fetch = async (input, init) => {
    if (!String(input).includes("/console/api/v1/payment-intents?")) return real(input, init)
    const from = ${PAGE} * asked++
    const data = Array.from({ length: ${PAGE} }, (_, n) => payment(from + n))
    return Response.json({ data, has_more: from + ${PAGE} < 100000 })
  }
`

describe("the console's size", () => {
  browserTest("is far below 250 KB of script", async () => {
    const page = await openPage("about:blank")
    const { script } = await weigh(page, `${app.url}/console`)
    expect(script).toBeGreaterThan(1_000)
    expect(script).toBeLessThan(250_000)
  })

  browserTest(
    "draws few rows of 100,000 payments, wherever they are scrolled and searched",
    async () => {
      const page = await openPage("about:blank")
      await page.addInitScript(PLAYED)
      await page.goto(`${app.url}/console`)
      await enter(page, app.seller.api_key.key)
      const frame = page.getByRole("region", { name: "Payments" })
      const loadAll = async () => {
        await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return page.getByText("100,000 payments").isVisible()
      }
      await expect.poll(loadAll, { timeout: 60_000 }).toBe(true)
      const search = page.getByLabel("Search payments")
      const acts = [
        () => search.fill("Paper 77777"),
        () => search.fill(""),
        () => frame.evaluate((it) => it.scrollTo(0, it.scrollHeight / 2)),
        () => search.fill("agent-42"),
      ]
      for (const act of acts) {
        await act()
        expect(await page.getByRole("row").count()).toBeLessThan(60)
      }
      await page.getByText("agent-42").first().waitFor()
      expect(await page.getByRole("row").count()).toBeLessThan(60)
    },
  )
})
