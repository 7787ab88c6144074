import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSite, type SiteApp } from "../../support/site.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
})
afterAll(() => app.stop())

/** A text that must never become part of a page's markup. */
const MARK = `"'><i data-mark onclick=x()>`

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((any) => any.toWellFormed()),
  fc.constantFrom(
    MARK,
    "pi_01997d3e-8a00-7000-8000-00000000dead",
    "01997d3e-8a00-7000-8000-00000000dead",
    "svc://pay/pi_x?channel=wallet_a",
    "javascript:alert(1)",
    "https://evil.example/",
    "../../etc/passwd",
    "%00",
    "\u202egnp.exe",
    "-1",
    "9".repeat(40),
  ),
)

/** The field names of forms and page addresses, and some unknown ones. */
const NAMES =
  "amount attempt channel code lang price service outcome mandate scenario seed speed id step " +
  "constructor __proto__"

const fields = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES.split(" ")), text), text, {
  maxKeys: 5,
})

const asked = fc.record({
  params: fc.array(text, { minLength: 4, maxLength: 4 }),
  query: fields,
  form: fields,
  type: fc.constantFrom(
    "application/x-www-form-urlencoded",
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
  ),
  headers: fc.constantFrom(
    {},
    { "accept-language": "zh-CN,zh;q=0.9" },
    { "accept-language": MARK },
    { cookie: "payport_console=x; payport_console=y" },
    { range: "bytes=0-1", "if-none-match": "*", "last-event-id": "-1" },
    { "x-payport-console": "1", accept: "text/event-stream" },
  ),
})

const pathOf = (pattern: string, params: ReadonlyArray<string>): string => {
  let n = 0
  return pattern.replaceAll(/:\w+|\*/g, () => encodeURIComponent(params[n++ % params.length] ?? ""))
}

test("every page answers whatever it is asked, and makes none of it its own", async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ form, headers, params, query, type }) => {
      for (const { method, path } of app.pages) {
        const target = `${pathOf(path, params)}?${String(new URLSearchParams(query))}`
        const stop = new AbortController()
        const answer = await fetch(`${app.url}${target}`, {
          method,
          redirect: "manual",
          signal: stop.signal,
          headers: { "sec-fetch-site": "same-origin", ...headers, "content-type": type },
          ...(method !== "GET" && { body: String(new URLSearchParams(form)) }),
        })
        expect(answer.status, `${method} ${target}`).toBeLessThan(500)
        const leads = answer.headers.get("location") ?? "/"
        expect(leads, `${method} ${target}`).toMatch(/^\/(?!\/)/)
        const kind = answer.headers.get("content-type") ?? ""
        if (kind.startsWith("text/event-stream")) {
          stop.abort()
          continue
        }
        const body = await answer.text()
        expect(body, `${method} ${target}`).not.toContain("<i data-mark")
        if (!kind.startsWith("text/html")) continue
        expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)
