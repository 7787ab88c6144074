import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { activeService, ADMIN_KEY, aManifest, authorizedPayment, enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { browserTest, openPage, type View } from "./support/openPage.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
  await enlarge(app, app.seller.id)
})
afterAll(() => app.stop())

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const enter = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key)
  await button(page, "Sign in").click()
  await page.locator("main#view h1").waitFor()
}

const open = async (path: string, view: View = {}, key = app.seller.api_key.key): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, view)
  await enter(page, key)
  return page
}

const keysOf = async (key: string): Promise<number> => {
  const { json } = await app.call("GET", "/v1/api-keys?limit=100", { key })
  return (json["data"] as ReadonlyArray<unknown>).length
}

browserTest("a window does nothing for whoever has signed in in another one", async () => {
  const page = await open("/keys", { expected: /status of 403/ })
  const other = await page.context().newPage()
  await other.goto(`${app.url}/console`)
  await button(other, "Sign out").click()
  await enter(other, app.buyer.api_key.key)

  const before = await keysOf(app.buyer.api_key.key)
  await button(page, "New key").click()
  await button(page, "Issue").click()
  await page.getByText("Somebody else has signed in to this browser since").waitFor()
  expect(await page.locator("main#view").count()).toBe(0)
  expect(await keysOf(app.buyer.api_key.key)).toBe(before)
  // The other window goes on.
  await other.reload()
  await other.locator("main#view h1").waitFor()
})

browserTest("a window does not sign out whoever has signed in in another one", async () => {
  const page = await open("/keys", { expected: /status of 403/ })
  const other = await page.context().newPage()
  await other.goto(`${app.url}/console`)
  await button(other, "Sign out").click()
  await enter(other, app.buyer.api_key.key)
  await button(page, "Sign out").click()
  await page.getByText("Somebody else has signed in to this browser since").waitFor()
  expect(await page.locator("main#view").count()).toBe(0)
  await other.reload()
  await other.locator("main#view h1").waitFor()
})

browserTest("nobody is told to have signed out before the service has ended it", async () => {
  const page = await open("/payments", { expected: /ERR_FAILED/ })
  await page.route("**/console/session", (route) => route.abort())
  await button(page, "Sign out").click()
  await page.getByRole("alert").getByText("You are still signed in.").waitFor()
  await page.unrouteAll()
  await button(page, "Sign out").click()
  await page.getByText("You have signed out.").waitFor()
  await page.reload()
  await page.getByLabel("API key").waitFor()
})

browserTest(
  "what was typed is there again after signing in again, for its holder alone",
  async () => {
    const service = await activeService(app)
    const path = `/installs/new?service=${service}`
    const limit = (page: Page) => page.getByLabel("Pays alone, up to")
    const page = await open(path, { expected: /status of 401/ }, app.buyer.api_key.key)
    await limit(page).fill("5.25")
    await page.context().clearCookies()
    await button(page, "Install").click()
    await page.getByText("Your session has ended.").waitFor()
    expect(await limit(page).count()).toBe(0)
    await enter(page, app.buyer.api_key.key)
    await limit(page).waitFor()
    expect(await limit(page).inputValue()).toBe("5.25")

    await page.context().clearCookies()
    await button(page, "Install").click()
    await page.getByText("Your session has ended.").waitFor()
    await page.getByLabel("API key").fill(app.seller.api_key.key)
    await button(page, "Sign in").click()
    await page.getByRole("link", { name: "Payments" }).waitFor()
    await page.context().clearCookies()
    await page.getByRole("link", { name: "Payments" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await enter(page, app.buyer.api_key.key)
    await page.goBack()
    await limit(page).waitFor()
    expect(await limit(page).inputValue()).toBe("")
  },
)

browserTest("what was typed about one agent does not come to another", async () => {
  const page = await open("/agents", { expected: /status of 401/ }, app.buyer.api_key.key)
  const dialog = page.getByRole("dialog")
  const mail = dialog.getByLabel("E-mail")
  const loseSession = async () => {
    await dialog.getByLabel("Phone").fill("+14155550191")
    await page.context().clearCookies()
    await button(page, "Submit").click()
    await page.getByText("Your session has ended.").waitFor()
    await enter(page, app.buyer.api_key.key)
  }
  await button(page, "Verify another agent").click()
  await dialog.getByLabel("Agent", { exact: true }).fill("agent_two")
  await mail.fill("two@example.com")
  await loseSession()

  await button(page, "Verify agent-of-the-buyer").click()
  expect(await mail.inputValue()).toBe("")
  await mail.fill("one@example.com")
  await loseSession()
  await button(page, "Verify agent-of-the-buyer").click()
  expect(await mail.inputValue()).toBe("one@example.com")
  const sent = page.waitForRequest((request) => request.url().endsWith("/v1/kyc/verify"))
  await button(page, "Submit").click()
  expect((await sent).postDataJSON()).toMatchObject({
    agent_id: "agent-of-the-buyer",
    data: { email: "one@example.com" },
  })
})

browserTest("a form without an answer shows what has happened when its dialog closes", async () => {
  const service = await activeService(app, { name: "Lost" })
  const id = await authorizedPayment(app, service, 800)
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  const key = app.buyer.api_key.key
  const page = await open(`/payments/${id}`, { expected: /ERR_FAILED/ }, key)
  await page.route("**/v1/refund-requests", async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button(page, "Ask for a refund").click()
  await page.getByLabel("Reason").fill("It did not come.")
  await button(page, "Ask the seller").click()
  await page.getByRole("alert").getByText("The service did not answer.").waitFor()
  await button(page, "Close").click()
  await page.getByText("It did not come.").waitFor()
})

browserTest("a refused action is corrected in its dialog and tried again", async () => {
  const page = await open("/keys", { expected: /status of 422/ })
  await button(page, "New key").click()
  await page.getByLabel("Budget").fill("20")
  await page.getByLabel("Currency").fill("USX")
  await button(page, "Issue").click()
  await page.getByRole("alert").getByText("USX is no ISO 4217 currency").waitFor()
  await page.getByLabel("Currency").fill("USD")
  await button(page, "Issue").click()
  await page.getByRole("heading", { name: "The new key" }).waitFor()
  // A page over plain http copies it all the same: it is shown only once.
  await page.evaluate(`{
    Object.defineProperty(navigator, "clipboard", { value: undefined })
    document.addEventListener("copy", () => (window.copied = document.activeElement.value))
  }`)
  await page.getByRole("button", { name: /^sk_test_/ }).click()
  await page.getByRole("button", { name: /^sk_test_.*Copied$/ }).waitFor()
  expect(await page.evaluate("window.copied")).toMatch(/^sk_test_[\w-]{43}$/)
})

browserTest(
  "an action without an answer is done once, and shown when its dialog closes",
  async () => {
    const page = await open("/keys", { expected: /ERR_FAILED|status of 409/ })
    const rows = page.getByRole("table", { name: "Keys" }).locator("tbody tr")
    await rows.first().waitFor()
    const before = await rows.count()
    const lose = () =>
      page.route("**/v1/api-keys", async (route) => {
        if (route.request().method() !== "POST") return route.continue()
        await route.fetch()
        await route.abort()
      })
    await lose()
    await button(page, "New key").click()
    await page.getByLabel("Ends after").selectOption("30")
    await button(page, "Issue").click()
    await page.getByRole("alert").getByText("The service did not answer.").waitFor()
    await page.unrouteAll()
    await button(page, "Issue").click()
    await page.getByRole("heading", { name: "The new key" }).waitFor()
    await button(page, "I have kept it").click()
    await expect.poll(() => rows.count()).toBe(before + 1)

    await lose()
    await button(page, "New key").click()
    await button(page, "Issue").click()
    await page.getByRole("alert").getByText("The service did not answer.").waitFor()
    await page.unrouteAll()
    await page.getByLabel("Budget").fill("20")
    await button(page, "Issue").click()
    await page.getByRole("alert").getByText("An earlier try had no answer").waitFor()
    await button(page, "Not now").click()
    await expect.poll(() => rows.count()).toBe(before + 2)
  },
)

browserTest("an account with many keys finds the first one, too", async () => {
  const make = () => app.call("POST", "/v1/api-keys", { body: {} })
  for (let n = 0; n < 11; n += 1) await Promise.all(Array.from({ length: 10 }, make))
  const page = await open("/keys")
  const first = page.getByRole("row", { name: /first key/ })
  await first.getByRole("button", { name: /^Revoke(?! all)/ }).waitFor()
  expect(await page.getByText("The newest 1,000 keys.").count()).toBe(0)
})

browserTest("a seller finds its service, however much others offer", async () => {
  await activeService(app, { name: "The first of all" })
  const body = { name: "Another", kind: "seller", agent_id: "another" }
  const { json } = await app.call("POST", "/v1/accounts", { key: ADMIN_KEY, body })
  await enlarge(app, String(json["id"]))
  const { key } = json["api_key"] as { readonly key: string }
  for (let n = 0; n < 101; n += 1) {
    const offered = aManifest({ name: `Offer ${n}` })
    const made = await app.call("POST", "/v1/services", { key, body: offered })
    await app.call("PATCH", `/v1/services/${String(made.json["id"])}/activate`, { key })
  }
  const page = await open("/services")
  await page.getByRole("heading", { name: /The first of all/ }).waitFor()
  expect(await page.getByText("No service yet").count()).toBe(0)
})
