import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { Store } from "../../core/ports/Store.ts"
import { aManifest } from "../support/app.ts"
import { ALLOWED_WAYS, REFUSED_WAYS } from "../support/returnUrls.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
let service = ""
beforeAll(async () => {
  app = await openSite()
  const { json } = await app.call("POST", "/v1/services", { body: aManifest() })
  service = String(json["id"])
  await app.call("PATCH", `/v1/services/${service}/activate`)
})
afterAll(() => app.stop())

/** A payment with a way back, which its payer has not paid yet. */
const aPayment = async (return_url: string): Promise<string> => {
  const amount = { currency: "USD", value: 699 }
  const about = { service_id: service, type: "one_time", description: "One report" }
  const body = { ...about, amount, payer_channel: "wallet_a", return_url }
  const key = app.buyer.api_key.key
  return String((await app.call("POST", "/v1/payment-intents", { key, body })).json["id"])
}

const reject = (id: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { body: { action: "reject" } })

/** Puts a way back into the store that no request can have. */
const plant = async (id: string, return_url: string): Promise<void> => {
  const store = await app.run(Store)
  const found = await Effect.runPromise(store.find("payment_intent", id))
  if (found === undefined) throw new Error("The payment is gone.")
  const record = { ...found, return_url }
  const write = { op: "replace", kind: "payment_intent", record } as const
  await Effect.runPromise(store.commit({ writes: [write] }))
}

/** The page's way back as the browser itself parses it. */
const LINKED = `Array.from(document.querySelectorAll(".back"), (link) => ({
  href: link.href,
  host: link.host,
  said: link.textContent,
  user: link.username + link.password,
}))`

interface Linked {
  readonly href: string
  readonly host: string
  readonly said: string
  readonly user: string
}

const linked = (page: Page) => page.evaluate<ReadonlyArray<Linked>>(LINKED)

// Where a test asks another origin before anything is clicked, openPage fails it.
browserTest.each(ALLOWED_WAYS)(
  "a way back of %s is shown with its host, and waits for a click",
  async (_, return_url, href, host) => {
    const id = await aPayment(return_url)
    const page = await openPage(`${app.url}/pay/${id}`, { width: 320 })
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    expect(await page.getByRole("link", { name: /^Back to/ }).count()).toBe(0)
    await reject(id)
    await page.getByRole("heading", { name: "You declined" }).waitFor()
    const back = page.getByRole("link", { name: `Back to ${host}`, exact: true })
    await expectFitting(page)
    expect(await back.getAttribute("href")).toBe(href)
    expect(await linked(page)).toEqual([{ href, host, said: `Back to ${host}`, user: "" }])
    expect(page.url()).toBe(`${app.url}/pay/${id}`)
  },
)

browserTest("a way back is gone by a click alone, without telling where from", async () => {
  const id = await aPayment("https://shop.example/orders/1?x=1")
  const page = await openPage(`${app.url}/pay/${id}`, {
    expected: /^asked elsewhere: https:.*x=1$/,
  })
  const gone: Array<string | undefined> = []
  await page.route("https://shop.example/**", async (route) => {
    gone.push(route.request().headers()["referer"])
    await route.fulfill({ body: "Back" })
  })
  await reject(id)
  await page.getByRole("link", { name: "Back to shop.example" }).click()
  await page.waitForURL("https://shop.example/orders/1?x=1")
  expect(gone).toEqual([undefined])
})

browserTest("a long host is shown whole", async () => {
  const [, long = ""] = ALLOWED_WAYS.find(([what]) => what === "a host of many names") ?? []
  const id = await aPayment(long)
  await reject(id)
  const page = await openPage(`${app.url}/pay/${id}`, { width: 320, theme: "dark" })
  await page.getByRole("link", { name: /evil\.example$/ }).waitFor()
  await expectFitting(page)
  await expectAccessible(page)
  await screenshot(page, "way-back-long")
})

const PLANTED = REFUSED_WAYS.filter(([, url]) => !url.includes("\0"))

browserTest("what must not have been stored runs nothing and leads to no hidden host", async () => {
  const id = await aPayment("https://shop.example/")
  await reject(id)
  const page = await openPage("about:blank")
  let dialogs = 0
  page.on("dialog", (dialog) => {
    dialogs += 1
    void dialog.dismiss()
  })
  for (const [what, return_url] of PLANTED) {
    await plant(id, return_url)
    await page.goto(`${app.url}/pay/${id}`)
    await page.getByRole("heading", { name: "You declined" }).waitFor()
    for (const { host, href, said, user } of await linked(page)) {
      expect(href, what).toMatch(/^https?:/)
      expect([said, user], what).toEqual([`Back to ${host}`, ""])
    }
    expect(page.url(), what).toBe(`${app.url}/pay/${id}`)
  }
  expect(dialogs).toBe(0)
})
