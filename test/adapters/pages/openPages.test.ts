import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { AddressGate } from "../../../adapters/shared/addresses/AddressGate.ts"
import { openSite, type SiteApp } from "../../support/site.ts"

describe("every page", () => {
  let app: SiteApp

  beforeAll(async () => {
    app = await openSite()
  })
  afterAll(() => app.stop())

  test("allows nothing from elsewhere, no frame and no cache", async () => {
    const { headers, status } = await app.get("/")
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("referrer-policy")).toBe("same-origin")
  })

  test("says what this is and leads on", async () => {
    const home = await app.get("/")
    // The catalog from which programs continue (RFC 9727).
    expect(home.headers.get("link")).toContain('</.well-known/api-catalog>; rel="api-catalog"')
    const text = await home.text()
    expect(text).toMatch(/^<!doctype html><html lang="en">/)
    for (const path of ["/sandbox/wallet", "/console", "/docs", "/openapi.json"]) {
      expect(text).toContain(`href="${path}"`)
    }
    expect(text).not.toMatch(/<style|style="|<script>|https?:\/\/(?!www\.w3\.org)/)
  })

  test("loads files that never change, as short as the browser reads them", async () => {
    const [, path = ""] =
      /href="(\/assets\/styles-[0-9a-f]{12}\.css)"/.exec(await (await app.get("/")).text()) ?? []
    for (const encoding of ["br", "gzip", "identity"]) {
      const { headers, status } = await app.get(path, { "accept-encoding": encoding })
      expect(status).toBe(200)
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding)
      expect(headers.get("content-type")).toBe("text/css; charset=utf-8")
    }
    expect((await app.get("/assets/manifest.json")).status).toBe(404)
    expect((await app.get("/assets/..%2F..%2Fpackage.json")).status).toBe(404)
  })

  test.each([
    ["a HEAD", "HEAD", "/", 200, ""],
    ["another method", "POST", "/", 405, "GET, HEAD"],
  ])("answers %s", async (_, method, path, status, allow) => {
    const answer = await fetch(`${app.url}${path}`, { method })
    expect(answer.status).toBe(status)
    expect(answer.headers.get("allow") ?? "").toBe(allow)
    if (method === "HEAD") expect(await answer.text()).toBe("")
  })

  test("leaves what is no page to the interface", async () => {
    const answer = await app.get("/nothing")
    expect(answer.status).toBe(404)
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  })

  test("counts among the requests of the listener", async () => {
    const full = await openSite({ intake: { most: 0 } })
    const answer = await fetch(`${full.url}/`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get("retry-after")).toBe("1")
    expect(await answer.text()).toContain("Not available right now")
    await full.stop()
  })

  test("is limited by its reader's address", async () => {
    const pageLimits = { perSecond: 1, burst: 2, mostAddresses: 10 }
    const limited = await openSite({ gate: new AddressGate({ pageLimits }) })
    const answers = [await limited.get("/"), await limited.get("/"), await limited.get("/")]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.headers.get("retry-after")).toBe("1")
    await limited.stop()
  })

  test("is written in a language that its reader accepts", async () => {
    const wrong = await app.get("/assets/none", { "accept-language": "fr, zh-CN;q=0.9, en;q=0.8" })
    expect(await wrong.text()).toContain('lang="zh-Hans"')
    expect(await (await app.get("/assets/none?lang=en")).text()).toContain("There is nothing here")
  })

  test("survives a target that is no URL", async () => {
    const status = await new Promise((resolve) => {
      request({ port: app.port, path: "/assets/%E0%A4%A?%%%=%00", method: "GET" }, (res) => {
        res.resume()
        resolve(res.statusCode)
      }).end()
    })
    expect(status).toBe(404)
  })
})
