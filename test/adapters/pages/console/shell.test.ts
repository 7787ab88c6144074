import { afterAll, beforeAll, expect, test } from "vitest"
import { openSite, type SiteApp } from "../../../support/site.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
})
afterAll(() => app.stop())

test.each(["/console", "/console/payments/pi_1", "/console/%3Cscript%3E"])(
  "%s is the console's frame, which says nothing of anybody",
  async (path) => {
    const response = await app.get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    const text = await response.text()
    expect(text).toBe(await (await app.get("/console")).text())
    expect(text).toContain('<div id="console" data-root data-mode="sandbox">')
  },
)

test("the door stands before the frame: a session begins, and the interface is asked", async () => {
  const own = { "x-payport-console": "1", "sec-fetch-site": "same-origin" }
  const begun = await fetch(`${app.url}/console/session`, {
    method: "POST",
    headers: { ...own, "content-type": "application/json" },
    body: JSON.stringify({ key: app.seller.api_key.key }),
  })
  expect(begun.status).toBe(201)
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const listed = await app.get("/console/api/v1/payment-intents", { ...own, cookie })
  expect(await listed.json()).toMatchObject({ data: [], has_more: false })
  expect((await app.get("/console/api/nothing", { ...own, cookie })).status).toBe(404)
  expect((await app.get("/console/api/v1/nothing", { ...own, cookie })).status).toBe(404)
})
