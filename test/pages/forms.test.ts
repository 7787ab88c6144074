import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { activeService, ADMIN_KEY, authorizedPayment, enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
  await enlarge(app, app.seller.id)
})
afterAll(() => app.stop())

const button = (page: Locator | Page, name: string) =>
  page.getByRole("button", { name, exact: true })

/** The console says in its log what the service refuses, such as a form that is wrong. */
const REFUSED = /status of (?:400|401|409|422)/

const open = async (key: string, path: string, view: View = {}): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, { expected: REFUSED, ...view })
  await page.getByLabel("API key").fill(key)
  await button(page, "Sign in").click()
  await page.locator("main#view h1").waitFor()
  return page
}

const seller = (path: string, view: View = {}) => open(app.seller.api_key.key, path, view)
const buyer = (path: string, view: View = {}) => open(app.buyer.api_key.key, path, view)

const inspect = async (page: Page, name: string) => {
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, name)
}

/** Returns the message beside a wrong field. */
const flawOf = async (field: Locator): Promise<string | null> => {
  expect(await field.getAttribute("aria-invalid")).toBe("true")
  const note = await field.getAttribute("aria-describedby")
  return field.page().locator(`[id="${note}"]`).textContent()
}

const views = THEMES.flatMap((theme) => [360, 1280].map((width) => ({ theme, width })))

describe("a seller's service", () => {
  browserTest("is registered, priced, put on sale and changed", async () => {
    const page = await seller("/services")
    await page.getByRole("link", { name: "Register the first" }).click()
    await page.getByRole("heading", { name: "New service" }).waitFor()
    await button(page, "Register the service").click()
    await page.getByRole("alert").getByText("6 fields to look at again.").waitFor()
    const name = page.getByRole("textbox", { name: "Name" })
    expect(await flawOf(name)).toBe("Fill this in.")
    expect(await page.evaluate("document.activeElement.name")).toBe("name")
    await inspect(page, "form-service-flaws")

    const called = `<b onclick="x()">Papers</b>`
    await name.fill(called)
    await page.getByRole("textbox", { name: "Description" }).fill("Sums up a paper.")
    await page.getByLabel("What is paid for").fill("One paper")
    const amount = page.getByLabel("Amount", { exact: true })
    await amount.fill("6.999")
    expect(await flawOf(amount)).toBe("Must be an amount in USD, such as 6.99.")
    await amount.fill("6.99")
    await page.getByLabel("Wallet A", { exact: true }).check()
    const endpoint = page.getByLabel("Webhook address")
    await endpoint.fill("gopher://papers.example")
    await button(page, "Register the service").click()
    await page.getByText("1 field to look at again.").waitFor()
    expect(await flawOf(endpoint)).toMatch(/^Must be/)
    await endpoint.fill("https://papers.example/hook")
    await endpoint.press("Enter")

    await page.getByRole("heading", { name: called }).getByText("Draft").waitFor()
    await inspect(page, "form-service-draft")
    await button(page, `Activate ${called}`).click()
    await button(page, "Activate").click()
    await page.getByRole("heading", { name: called }).getByText("Active").waitFor()

    await button(page, `Change ${called}`).click()
    expect(await name.getAttribute("readonly")).not.toBeNull()
    await button(page, "Add price").click()
    await page.getByLabel("What is paid for").nth(1).fill("Ten papers")
    await amount.nth(1).fill("49.50")
    await page.getByLabel("A subscription").check()
    await button(page, "Add plan").click()
    await page.getByLabel("Plan's id").fill("reader")
    await page.getByRole("group", { name: "Plans" }).getByLabel("Name").fill("Reader")
    await page.getByRole("group", { name: "Plans" }).getByLabel("Amount").fill("9")
    await button(page, "Remove price 1").click()
    await inspect(page, "form-service-changed")
    await button(page, "Save the changes").click()
    await page.getByText("Ten papers: 49.50 USD, Reader: 9.00 USD monthly").waitFor()

    const { json } = await app.call("GET", "/v1/services?status=active")
    const [found] = json["data"] as ReadonlyArray<{ readonly id: string; readonly name: string }>
    expect(found?.name).toBe(called)
    const whole = await app.call("GET", `/v1/services/${found?.id}`)
    expect(whole.json).toMatchObject({
      endpoint: "https://papers.example/hook",
      accepted_channels: ["wallet_a"],
      pricing: {
        one_time: [{ label: "Ten papers", amount: 4_950, currency: "USD" }],
        subscription: [{ plan_id: "reader", name: "Reader", amount: 900, interval: "monthly" }],
      },
    })
    for (const [act, state] of [
      ["Pause", "Paused"],
      ["Resume", "Active"],
      ["Deprecate", "Deprecated"],
    ]) {
      await button(page, `${act} ${called}`).click()
      await button(page.getByRole("dialog"), `${act}`).click()
      await page.getByRole("heading", { name: called }).getByText(`${state}`).waitFor()
    }
  })

  browserTest("is filled in by keyboard alone", async () => {
    const page = await seller("/services/new")
    await page.getByRole("textbox", { name: "Name" }).focus()
    for (const text of ["By keys", "Typed by keys.", "keys"]) {
      await page.keyboard.type(text)
      await page.keyboard.press("Tab")
    }
    // The payment methods: one-time payment is already ticked.
    for (let boxes = 0; boxes < 3; boxes += 1) await page.keyboard.press("Tab")
    for (const text of ["One", "1.00"]) {
      await page.keyboard.type(text)
      await page.keyboard.press("Tab")
    }
    await page.getByLabel("Wallet A", { exact: true }).focus()
    await page.keyboard.press("Space")
    await page.getByLabel("Webhook address").focus()
    await page.keyboard.type("https://keys.example/hook")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "By keys" }).waitFor()
  })

  browserTest.each(views)("is asked for readably, $theme and $width wide", async (view) => {
    const page = await seller("/services/new", view)
    for (const method of ["A subscription", "By use"]) await page.getByLabel(method).check()
    await page.getByLabel(/type an amount/).check()
    for (const row of ["plan", "sort of access"]) await button(page, `Add ${row}`).click()
    await inspect(page, `form-service-${view.theme}-${view.width}`)
  })
})

describe("a buyer's install", () => {
  browserTest("allows an agent to pay, by a mandate, and ends", async () => {
    const service = await activeService(app)
    const shown = await app.call("GET", `/v1/services/${service}`)
    const name = String(shown.json["name"])
    const page = await buyer("/installs")
    await button(page, "Install a service").click()
    await page.getByRole("searchbox").fill(name)
    await inspect(page, "form-install-search")
    await page.getByRole("link", { name }).first().click()
    await page.getByRole("heading", { name: `Install ${name}` }).waitFor()
    const limit = page.getByLabel("Pays alone, up to")
    await limit.fill("all of it")
    await page.getByLabel("Tell me when").fill("50, 800")
    await button(page, "Install").click()
    await page.getByText("2 fields to look at again.").waitFor()
    expect(await flawOf(limit)).toMatch(/^Must be an amount in USD/)
    await inspect(page, "form-install-flaws")
    await limit.fill("5")
    await page.getByLabel("Tell me when").fill("50, 80")
    await page.getByLabel("At most in a period").fill("100")
    await button(page, "Install").click()
    await page.getByText("up to 5.00 USD").waitFor()
    await page.getByText("Active", { exact: true }).waitFor()
    await page.getByText("of 100.00 USD").waitFor()
    await inspect(page, "form-installed")
    await button(page, `Change ${name}`).click()
    expect(await limit.inputValue()).toBe("5.00")
    await limit.fill("")
    await button(page, "Save the changes").click()
    await page.getByText("none: each payment is asked for").waitFor()
    await button(page, `Remove ${name}`).click()
    await button(page, "Remove").click()
    await page.getByText("No install yet").waitFor()
  })

  browserTest.each(views)("is asked for readably, $theme and $width wide", async (view) => {
    const service = await activeService(app, { name: `Readable ${view.theme} ${view.width}` })
    const page = await buyer(`/installs/new?service=${service}`, view)
    await page.getByLabel("Pays alone, up to").waitFor()
    await inspect(page, `form-install-${view.theme}-${view.width}`)
  })
})

describe("who an agent acts for", () => {
  const dialog = (page: Page) => page.getByRole("dialog")

  browserTest("is said with a company's owner, rejected, and appealed against", async () => {
    const page = await buyer("/agents")
    await button(page, "Verify agent-of-the-buyer").click()
    await dialog(page).getByLabel("Level").selectOption("business")
    await button(page, "Submit").click()
    await page.getByText(/fields to look at again/).waitFor()
    const company = dialog(page).getByLabel("Name of the business")
    expect(await flawOf(company)).toBe("Fill this in.")
    await inspect(page, "form-identity-flaws")
    const typed = {
      "Name of the business": "Compilers Ltd",
      "Registration number": "REG-778899",
      "E-mail": "grace@example.com",
      Phone: "+14155550191",
      Country: "gb",
      Born: "1906-12-09",
      "Number of the document": "QX55443322",
    }
    for (const [label, text] of Object.entries(typed)) {
      await dialog(page).getByLabel(label, { exact: true }).fill(text)
    }
    for (const field of await dialog(page).getByLabel("Full name").all()) {
      await field.fill("Grace Hopper")
    }
    await dialog(page).getByLabel("Document", { exact: true }).selectOption("passport")
    const share = dialog(page).getByLabel("Share in percent")
    await share.fill("160")
    expect(await flawOf(share)).toBe("Must be a value between 0 and 100.")
    await share.fill("60")
    // The service alone knows what a phone number is.
    const phone = dialog(page).getByLabel("Phone")
    await phone.fill("12")
    await button(page, "Submit").click()
    await page.getByText("1 field to look at again.").waitFor()
    expect(await flawOf(phone)).toMatch(/E\.164/)
    await phone.fill(typed.Phone)
    await button(page, "Submit").click()
    await dialog(page).waitFor({ state: "detached" })
    await page.getByText("An operator looks at it.").waitFor()

    const agent = await app.call("GET", "/v1/kyc/agents/agent-of-the-buyer", {
      key: app.buyer.api_key.key,
    })
    const [asked] = agent.json["verifications"] as ReadonlyArray<{ verification_id: string }>
    await app.call("POST", `/v1/kyc/verifications/${asked?.verification_id}/review`, {
      key: ADMIN_KEY,
      body: { decision: "reject", reason: "The register does not have it." },
    })
    await page.reload()
    await button(page, "Appeal").click()
    await button(dialog(page), "Appeal").click()
    const reason = dialog(page).getByLabel("Why the rejection is wrong")
    expect(await flawOf(reason)).toBe("Fill this in.")
    await inspect(page, "form-appeal")
    await reason.fill("It is in the register since Monday.")
    await button(dialog(page), "Appeal").click()
    await page.getByText("Under review").waitFor()
    await inspect(page, "form-appealed")
    expect(await button(page, "Appeal").count()).toBe(0)
  })

  browserTest.each(views)("is asked for readably, $theme and $width wide", async (view) => {
    const page = await seller("/identity", view)
    await page.getByRole("button", { name: /^Verify/ }).click()
    await dialog(page).getByLabel("Level").selectOption("business")
    await inspect(page, `form-identity-${view.theme}-${view.width}`)
  })
})

browserTest("a request for a refund asks for no more than was paid", async () => {
  const service = await activeService(app, { name: "Refundable" })
  const id = await authorizedPayment(app, service, 800)
  const body = { amount: { currency: "USD", value: 650 } }
  await app.call("POST", `/v1/payment-intents/${id}/capture`, { body })
  const page = await buyer(`/payments/${id}`)
  await button(page, "Ask for a refund").click()
  const amount = page.getByLabel("Amount in USD")
  await amount.fill("6.51")
  await button(page, "Ask the seller").click()
  expect(await flawOf(amount)).toBe("Must be at most 6.50 USD, which was paid.")
  expect(await flawOf(page.getByLabel("Reason"))).toBe("Fill this in.")
  await inspect(page, "form-refund-request")
})
