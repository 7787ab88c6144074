import { createHash } from "node:crypto"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import type { OperatorKey } from "../../core/audit/Operator.ts"
import { activeService, ADMIN_KEY } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

const reviewer = (name: string): OperatorKey => ({
  name,
  roles: new Set(["read", "review"]),
  hash: createHash("sha256").update(`key-of-${name}`).digest("hex"),
})

let app: SiteApp
beforeAll(async () => {
  app = await openSite({ operators: () => [reviewer("ada"), reviewer("bob")] })
})
afterAll(() => app.stop())

/** Without a session, the console's request for the session is answered with 401. */
const NOBODY = { expected: /401 \(Unauthorized\)/ }

const openConsole = async (key: string, path: string, view: View = {}): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, { ...NOBODY, ...view })
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1 }).filter({ hasNotText: "Sign in" }).waitFor()
  return page
}

const submitted = async (agent_id: string): Promise<string> => {
  const { json } = await app.call("POST", "/v1/kyc/verify", {
    key: app.buyer.api_key.key,
    body: {
      agent_id,
      level: "business",
      channel_credentials: { wallet_a_user_id: "ok_credential" },
      data: {
        email: `${agent_id}@example.com`,
        phone: "+14155550191",
        country: "GB",
        full_name: "Grace Hopper",
        document_type: "passport",
        document_number: "QX55443322",
        business_name: "Compilers Ltd",
        registration_number: "REG-778899",
        ubo_declaration: { full_name: "Grace Hopper", ownership_pct: 60 },
      },
    },
  })
  return String(json["verification_id"])
}

const approve = async (page: Page) => {
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
}

browserTest("a review takes two operators, and each of them sees where it is", async () => {
  const id = await submitted("compilers")
  const ada = await openConsole("key-of-ada", "/reviews")
  await ada.getByRole("link", { name: "compilers" }).click()
  await ada.getByText("QX55443322").waitFor()
  await approve(ada)
  await ada.getByText("ada has approved").waitFor()
  expect(await ada.locator(".head .badge").textContent()).toBe("Pending")

  const bob = await openConsole("key-of-bob", `/reviews/${id}`)
  await bob.getByText("ada has approved").waitFor()
  await expectAccessible(bob)
  await approve(bob)
  await bob.locator(".head .badge", { hasText: "Verified" }).waitFor()
  await bob.getByRole("link", { name: "What operators did to it" }).click()
  await bob.getByRole("link", { name: "Verification approved" }).waitFor()
  await bob.getByRole("link", { name: "Verification approval proposed" }).waitFor()
  await bob.getByRole("button", { name: "Check the whole log" }).click()
  await bob.getByText("follow each other").waitFor()
})

browserTest("an appeal that overturns a rejection is told from one that stands", async () => {
  const id = await submitted("appealing")
  const ada = await openConsole("key-of-ada", `/reviews/${id}`)
  await ada.getByRole("button", { name: "Reject" }).click()
  const dialog = ada.getByRole("dialog")
  expect(await dialog.getByRole("button", { name: "Reject" }).isDisabled()).toBe(true)
  await dialog.getByLabel("Reason").fill("The document cannot be read.")
  await dialog.getByRole("button", { name: "Reject" }).click()
  await ada.locator(".head .badge", { hasText: "Rejected" }).waitFor()
  const reason = "It is <b>legible</b>."
  const { json } = await app.call("POST", "/v1/kyc/appeal", {
    key: app.buyer.api_key.key,
    body: { verification_id: id, reason },
  })
  await ada.goto(`${app.url}/console/appeals/${String(json["appeal_id"])}`)
  await ada.getByText(reason).waitFor()
  await expectAccessible(ada)
  await ada.getByRole("button", { name: "The rejection stands" }).click()
  await dialog.getByRole("button", { name: "The rejection stands" }).click()
  await ada.locator(".head .badge", { hasText: "Upheld" }).waitFor()
})

browserTest("a list that a replica answered late says how old it may be", async () => {
  const page = await openConsole(ADMIN_KEY, "/reviews")
  const note = page.getByText(/^What is listed here may be \d+ seconds old\.$/)
  await page.route("**/console/api/v1/accounts?*", async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), "payport-data-age": "4.200" }
    await route.fulfill({ response, headers })
  })
  await page.getByRole("link", { name: "Accounts" }).click()
  await note.waitFor()
  expect(await note.textContent()).toContain(" 5 seconds ")
  await page.getByRole("link", { name: "Reviews" }).click()
  await note.waitFor({ state: "detached" })
  await page.unroute("**/console/api/v1/accounts?*")
  await page.getByRole("link", { name: "Accounts" }).click()
  await page.getByRole("table").waitFor()
  expect(await note.count()).toBe(0)
})

browserTest("an account whose opening had no answer is listed when its dialog closes", async () => {
  const page = await openConsole(ADMIN_KEY, "/accounts", { expected: /ERR_FAILED|401/ })
  await page.getByText("The seller").first().waitFor()
  await page.route("**/console/api/v1/accounts", async (route) => {
    await route.fetch()
    await route.abort()
  })
  const dialog = page.getByRole("dialog")
  await page.getByRole("button", { name: "Open an account" }).click()
  await dialog.getByLabel("Name").fill("Opened unheard")
  await dialog.getByLabel("Agent").fill("agent_unheard")
  await dialog.getByRole("button", { name: "Open the account" }).click()
  await page.getByRole("alert").getByText("The service did not answer.").waitFor()
  await dialog.getByRole("button", { name: "Not now" }).click()
  await page.getByText("Opened unheard").waitFor()
})

browserTest("a suspended key opens nothing, until it is resumed", async () => {
  const page = await openConsole(ADMIN_KEY, `/accounts/${app.seller.id}`)
  const status = async () => (await app.call("GET", "/v1/services", {})).status
  expect(await status()).toBe(200)
  await page.getByRole("button", { name: "Suspend", exact: true }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click()
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor()
  expect(await status()).toBe(403)
  await page.getByRole("button", { name: "Resume", exact: true }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click()
  await page.getByRole("button", { name: "Suspend", exact: true }).waitFor()
  expect(await status()).toBe(200)
  await page.getByLabel("Plan").selectOption("pro")
  await page.getByRole("dialog").getByRole("button", { name: "Move to Pro" }).click()
  await page.getByText("Seller, Pro plan").waitFor()
})

browserTest("a suspension that is tried again does not undo what came after it", async () => {
  const view = { expected: /ERR_FAILED|401/ }
  const page = await openConsole(ADMIN_KEY, `/accounts/${app.seller.id}`, view)
  await page.route("**/suspend", async (route) => {
    await route.fetch()
    await route.abort()
  })
  const status = async () => (await app.call("GET", "/v1/services", {})).status
  const dialog = page.getByRole("dialog")
  await page.getByRole("button", { name: "Suspend", exact: true }).click()
  await dialog.getByRole("button", { name: "Suspend" }).click()
  await page.getByRole("alert").getByText("The service did not answer.").waitFor()
  expect(await status()).toBe(403)
  const key = `/v1/accounts/${app.seller.id}/api-keys/${app.seller.api_key.id}`
  expect((await app.call("POST", `${key}/resume`, { key: ADMIN_KEY, body: {} })).status).toBe(200)
  await page.unroute("**/suspend")
  await dialog.getByRole("button", { name: "Suspend" }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  expect(await status()).toBe(200)
})

browserTest("what was lost after its dialog was closed is shown as it is now", async () => {
  const view = { expected: /ERR_FAILED|401/ }
  const page = await openConsole(ADMIN_KEY, `/accounts/${app.seller.id}`, view)
  const closed = Promise.withResolvers<void>()
  await page.route("**/suspend", async (route) => {
    await route.fetch()
    await closed.promise
    await route.abort()
  })
  const dialog = page.getByRole("dialog")
  await page.getByRole("button", { name: "Suspend", exact: true }).click()
  await dialog.getByRole("button", { name: "Suspend" }).click()
  await dialog.getByRole("button", { name: "Not now" }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  closed.resolve()
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor()
  const key = `/v1/accounts/${app.seller.id}/api-keys/${app.seller.api_key.id}`
  await app.call("POST", `${key}/resume`, { key: ADMIN_KEY, body: {} })
})

browserTest("a channel's fault is set, and seen by who asks for a payment", async () => {
  const service = await activeService(app, { accepted_channels: ["wallet_a"] })
  const page = await openConsole(app.seller.api_key.key, "/faults")
  const wallet = page.locator(".part", { has: page.getByText("wallet_a", { exact: true }) })
  const set = page.waitForResponse((response) => response.request().method() === "PUT")
  await wallet.getByLabel("Qr fails").check()
  await set
  await wallet.getByText("1 fault").waitFor()
  await expectAccessible(page)
  const { json } = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: {
      service_id: service,
      type: "one_time",
      amount: { currency: "USD", value: 699 },
      description: "One paper",
    },
  })
  expect(json).toMatchObject({ status: "failed", failure_code: "QR_GENERATION_FAILED" })
})

const PLACES = [
  ["accounts", "/accounts"],
  ["audit", "/audit"],
  ["health", "/health"],
  ["reviews", "/reviews"],
] as const

for (const theme of THEMES) {
  for (const width of [360, 1280]) {
    browserTest(`an operator's views are whole in ${theme} at ${width} pixels`, async () => {
      const page = await openConsole(ADMIN_KEY, "/health", { theme, width })
      for (const [name, path] of PLACES) {
        await page.goto(`${app.url}/console${path}`)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await page.locator(".loading").waitFor({ state: "detached" })
        await expectFitting(page)
        await expectAccessible(page)
        await screenshot(page, `operator-${name}-${theme}-${width}`)
      }
    })

    browserTest(`a sandbox's views are whole in ${theme} at ${width} pixels`, async () => {
      const page = await openConsole(app.seller.api_key.key, "/play", { theme, width })
      for (const name of ["play", "faults"]) {
        await page.goto(`${app.url}/console/${name}`)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await page.locator(".loading").first().waitFor({ state: "detached" })
        await expectFitting(page)
        await expectAccessible(page)
        await screenshot(page, `sandbox-${name}-${theme}-${width}`)
      }
    })
  }
}
