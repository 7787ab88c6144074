import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type App, startApp } from "../../support/app.ts"
import { BASE, REDIRECT } from "./Program.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true, base_url: BASE })
})
afterAll(() => app.stop())

const PAGE = "https://inspector.example"

const ask = (path: string, method: string, headers: object = {}, body?: string) =>
  fetch(app.url + path, {
    method,
    headers: { Origin: PAGE, ...headers },
    ...(body !== undefined && { body }),
  })

const METADATA = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource/mcp/market",
]
const POSTS = ["/oauth/register", "/oauth/token", "/oauth/revoke"]

describe("a client of MCP in a page of another origin", () => {
  test.each([...METADATA.map((path) => [path, "GET"]), ...POSTS.map((path) => [path, "POST"])])(
    "may ask %s",
    async (path, method) => {
      const wanted = "content-type,mcp-protocol-version"
      const allowed = await ask(path, "OPTIONS", {
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": wanted,
      })
      expect(allowed.status).toBe(204)
      expect(allowed.headers.get("access-control-allow-origin")).toBe("*")
      expect(allowed.headers.get("access-control-allow-methods")?.split(", ")).toContain(method)
      const headers = allowed.headers.get("access-control-allow-headers")?.toLowerCase().split(", ")
      expect(headers).toEqual(expect.arrayContaining(wanted.split(",")))
      // No cookie is sent, so a page can do no more than any program.
      expect(allowed.headers.get("access-control-allow-credentials")).toBeNull()
    },
  )

  test.each(METADATA)("reads %s", async (path) => {
    const answer = await ask(path, "GET", { "MCP-Protocol-Version": "2025-11-25" })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
  })

  test("reads what became of its registration, and why it gets no token", async () => {
    const registration = JSON.stringify({ client_name: "Inspector", redirect_uris: [REDIRECT] })
    const json = { "Content-Type": "application/json" }
    const registered = await ask("/oauth/register", "POST", json, registration)
    expect([registered.status, registered.headers.get("access-control-allow-origin")]).toEqual([
      201,
      "*",
    ])
    const form = { "Content-Type": "application/x-www-form-urlencoded" }
    const refused = await ask("/oauth/token", "POST", form, "grant_type=authorization_code")
    expect(refused.status).toBe(400)
    expect(refused.headers.get("access-control-allow-origin")).toBe("*")
  })

  test.each(["/console/authorize", "/v1/oauth/authorization", "/v1/payment-intents", "/mcp"])(
    "reads nothing of %s, where a person or a key is known",
    async (path) => {
      for (const method of ["OPTIONS", "GET", "POST"]) {
        const { headers } = await ask(path, method, { "Access-Control-Request-Method": "POST" })
        expect(headers.get("access-control-allow-origin")).toBeNull()
      }
    },
  )
})
