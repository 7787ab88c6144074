import { once } from "node:events"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, onTestFinished } from "vitest"
import { expectAccessible } from "./support/expectAccessible.ts"
import { slowDown, weigh } from "./support/measure.ts"
import { browserTest, expectFitting, openPage } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

const SCRIPT = `const answer = 42 // ${"talk ".repeat(20_000)}`

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main></html>`

/** Serves pages by their paths, packed, under a policy as strict as the service's. */
const serve = async (pages: { readonly [path: string]: string }): Promise<string> => {
  const server = createServer(({ url = "" }, response) => {
    const text = pages[url]
    const type = url.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8"
    response.writeHead(text === undefined && url !== "/favicon.ico" ? 404 : 200, {
      "content-encoding": "gzip",
      "content-security-policy": "default-src 'none'; script-src 'self'",
      "content-type": type,
    })
    response.end(gzipSync(text ?? ""))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const said = (checked: Promise<void>): Promise<string> =>
  checked.then(
    () => "nothing",
    (error: Error) => error.message,
  )

describe("the tools", () => {
  browserTest("find what nobody can read, and let the rest pass", async () => {
    const url = await serve({ "/good": page("<p>Read me.</p>"), "/bad": page("<input>") })
    await expectAccessible(await openPage(`${url}/good`))
    expect(await said(expectAccessible(await openPage(`${url}/bad`)))).toContain("label")
  })

  browserTest("see a page that is wider than a phone", async () => {
    const wide = `<p>${"wide".repeat(200)}</p>`
    const url = await serve({ "/wide": page(wide) })
    const shown = await openPage(`${url}/wide`, { width: 320 })
    expect(await said(expectFitting(shown))).toContain("is wider than its window")
  })

  browserTest("weigh what comes packed, and slow a page down", async () => {
    const url = await serve({ "/": page(`<script src="/a.js"></script>`), "/a.js": SCRIPT })
    const shown = await openPage("about:blank")
    await slowDown(shown, 4)
    const weight = await weigh(shown, `${url}/`)
    expect(weight.script).toBeGreaterThan(100)
    expect(weight.script).toBeLessThan(SCRIPT.length / 50)
    expect(weight.all).toBeGreaterThan(weight.script)
  })

  browserTest("write a picture of a page", async () => {
    const folder = await mkdtemp(join(tmpdir(), "payport-picture-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const url = await serve({ "/": page("<p>Smile.</p>") })
    await screenshot(await openPage(`${url}/`, { width: 360, theme: "dark" }), "tools", folder)
    expect((await stat(join(folder, "tools.png"))).size).toBeGreaterThan(1000)
  })

  browserTest.fails("fail a page that breaks its policy", async () => {
    const url = await serve({ "/": page("<script>alert(1)</script>") })
    await openPage(`${url}/`)
  })
})
