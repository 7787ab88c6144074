import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, callTool, startApp } from "../../support/app.ts"
import { BASE, fetchOf, limits, openProgram, post, type Program } from "./Program.ts"

let app: App
let program: Program
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true, base_url: BASE })
  const { id } = app.buyer
  await app.call("PATCH", `/v1/accounts/${id}`, { key: ADMIN_KEY, body: { plan: "enterprise" } })
  const pricing = { one_time: [{ amount: 40, currency: "USD", label: "Once" }] }
  service = await activeService(app, { pricing })
  program = await openProgram(app)
})
afterAll(() => app.stop())

const call = async (token: string, args: object = {}) => {
  const headers = { authorization: `Bearer ${token}`, host: "payport.localhost" }
  const said = { manifest_id: service, ...args }
  const response = await callTool(app, `${service}__pay_one_time`, said, headers)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe("a program that a person has agreed to", () => {
  test("pays within the person's limit, and at the one address", async () => {
    const { access_token, expires_in, key_id, refresh_token, scope } = await program.connect()
    expect([expires_in, scope]).toEqual([3600, "read pay"])
    expect((await call(access_token, { idempotency_key: "one" })).text).toContain("deeplink")
    expect((await call(access_token, { idempotency_key: "two" })).text).toContain("deeplink")
    const over = await call(access_token, { idempotency_key: "three" })
    expect(over.text).toContain("SPEND_CAP_EXCEEDED")
    const elsewhere = await app.call("GET", "/v1/payment-intents", { key: access_token })
    expect(elsewhere.status).toBe(401)
    const keys = await app.call("GET", "/v1/api-keys", { key: app.buyer.api_key.key })
    const shown = (keys.json["data"] as ReadonlyArray<{ readonly id: string }>).find(
      ({ id }) => id === key_id,
    )
    expect(shown).toMatchObject({
      minted_by: app.buyer.api_key.id,
      oauth: { client_name: "Reading assistant", resource: `${BASE}/mcp` },
      restrictions: { routes: ["read", "pay"] },
    })
    // Its next token has the same budget, which is spent.
    const next = await program.processed(await program.refresh(refresh_token))
    expect((await call(access_token, { idempotency_key: "x" })).status).toBe(401)
    const again = await call(next.access_token, { idempotency_key: "four" })
    expect(again.text).toContain("SPEND_CAP_EXCEEDED")
  })

  test("gets no token while its person's account is suspended", async () => {
    const { refresh_token } = await program.connect()
    const operate = (action: string) =>
      app.call("POST", `/v1/accounts/${app.buyer.id}/${action}`, { key: ADMIN_KEY, body: {} })
    expect((await operate("suspend")).status).toBe(200)
    expect((await program.refresh(refresh_token)).status).toBe(400)
    expect((await operate("resume")).status).toBe(200)
    const again = await program.processed(await program.refresh(refresh_token))
    expect((await call(again.access_token)).status).toBe(200)
  })

  test("loses everything when a refresh token comes twice", async () => {
    const first = await program.connect()
    const second = await program.processed(await program.refresh(first.refresh_token))
    expect((await call(second.access_token)).status).toBe(200)
    expect((await program.refresh(first.refresh_token)).status).toBe(400)
    expect((await call(second.access_token)).status).toBe(401)
    expect((await program.refresh(String(second.refresh_token))).status).toBe(400)
    const log = await app.call("GET", "/v1/audit-log?limit=1", { key: app.buyer.api_key.key })
    expect(log.json["data"]).toMatchObject([
      { action: "api_key.revoked", details: { reason: "a refresh token came twice" } },
    ])
  })

  test("has its code exchanged once, however many try at a time", async () => {
    const { request, state, verifier } = await program.ask()
    const { url } = await program.agree(request)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => program.exchange(url, state, verifier)),
    )
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    // A code that is used twice revokes the token that it gave.
    for (const answer of given) {
      const { access_token } = (await answer.json()) as { readonly access_token: string }
      expect((await call(access_token)).status).toBe(401)
    }
  })

  test.each(["access_token", "refresh_token"] as const)("gives its %s back", async (which) => {
    const tokens = await program.connect()
    expect((await program.revoke(tokens[which])).status).toBe(200)
    expect((await call(tokens.access_token)).status).toBe(401)
    expect((await program.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await program.revoke("unknown")).status).toBe(200)
  })

  test("ends with the key of the person, and when the person says so", async () => {
    const { key } = app.buyer.api_key
    const minter = await app.call("POST", "/v1/api-keys", { key, body: {} })
    const own = String(minter.json["key"])
    const { request, state, verifier } = await program.ask()
    const body = { request, restrictions: limits() }
    const agreed = await app.call("POST", "/v1/oauth/authorization", { key: own, body })
    const url = new URL(String(agreed.json["redirect_to"]))
    const given = (await (await program.exchange(url, state, verifier)).json()) as {
      readonly access_token: string
      readonly refresh_token: string
    }
    expect((await call(given.access_token)).status).toBe(200)
    const minterId = String(minter.json["id"])
    await app.call("DELETE", `/v1/api-keys/${minterId}?cascade=true`, { key })
    expect((await call(given.access_token)).status).toBe(401)
    expect((await program.refresh(given.refresh_token)).status).toBe(400)
    const rolled = await app.call(
      "POST",
      `/v1/api-keys/${String(agreed.json["api_key_id"])}/roll`,
      { key, body: {} },
    )
    expect(rolled.status).toBe(404)
  })
})

describe("a person", () => {
  const show = async (said: object) => {
    const { request } = await program.ask()
    const query = new URLSearchParams({ ...request, ...said })
    const { key } = app.buyer.api_key
    return app.call("GET", `/v1/oauth/authorization?${query}`, { key })
  }

  test("is shown who asks, and for what", async () => {
    const { request } = await program.ask()
    const { json } = await show({ state: request.state })
    expect(json).toEqual({
      client_name: "Reading assistant",
      client_host: null,
      redirect_host: "127.0.0.1",
      is_local: true,
      resource: `${BASE}/mcp`,
      scopes: ["read", "pay"],
      deny_to:
        `${request.redirect_uri}?error=access_denied&state=${request.state}` +
        "&iss=http%3A%2F%2Fpayport.localhost",
    })
  })

  test.each([
    ["response_type", "token"],
    ["client_id", "oc_x.y"],
    ["redirect_uri", "https://evil.example/callback"],
    ["redirect_uri", "http://127.0.0.1:33418/callback/../evil"],
    ["redirect_uri", "http://127.0.0.1:33418/callback#x"],
    ["redirect_uri", "http://127.0.0.1.evil.example:33418/callback"],
    ["redirect_uri", "http://127.0.0.1@evil.example/callback"],
    ["code_challenge", "short"],
    ["code_challenge_method", "plain"],
    ["resource", "https://elsewhere.example/mcp"],
    ["resource", `${BASE}/mcp/other`],
    ["resource", `${BASE}/mcp/market/x`],
    ["scope", "manage"],
    ["state", "line\nbreak"],
  ])("is not asked with %s %j", async (field, value) => {
    const { json, status } = await show({ [field]: value })
    expect([status, json["field"]]).toEqual([expect.toSatisfy(isRefused), field])
  })

  test("takes another port of the program's own machine", async () => {
    const { status } = await show({ redirect_uri: "http://127.0.0.1:50123/callback" })
    expect(status).toBe(200)
  })

  test.each([
    ["restrictions.budget", limits({ budget: undefined })],
    ["restrictions.expires_at", limits({ expires_at: undefined })],
    ["restrictions.routes", limits({ routes: ["read", "manage"] })],
    ["expires_at", limits({ expires_at: "2020-01-31T08:00:00Z" })],
  ])("does not agree without %s that is right", async (field, restrictions) => {
    const { request } = await program.ask()
    const body = { request, restrictions }
    const { key } = app.buyer.api_key
    const { json, status } = await app.call("POST", "/v1/oauth/authorization", { key, body })
    expect([status, json["field"]]).toEqual([422, field])
  })

  test("gives no more than their own key may do", async () => {
    const { key } = app.buyer.api_key
    const ask = async (own: object) => {
      const restricted = await app.call("POST", "/v1/api-keys", {
        key,
        body: { restrictions: own },
      })
      const { request } = await program.ask()
      const body = { request, restrictions: limits() }
      const by = String(restricted.json["key"])
      return (await app.call("POST", "/v1/oauth/authorization", { key: by, body })).status
    }
    expect(await ask({ routes: ["read", "pay"] })).toBe(403)
    expect(await ask({ routes: ["manage", "read"] })).toBe(422)
    expect(await ask({ routes: ["manage", "read", "pay"] })).toBe(201)
  })
})

const isRefused = (status: number) => status === 400 || status === 422

describe("registration", () => {
  const register = async (body: unknown) => {
    const response = await fetchOf(app)(`${BASE}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  const uris = (...redirect_uris: ReadonlyArray<string>) => ({ redirect_uris })

  test.each([
    "http://evil.example/callback",
    "https://user@evil.example/",
    "https://evil.example/#fragment",
    "https://evil.example\\@good.example/",
    "javascript:alert(1)",
    "data:text/html,hi",
    "myapp://callback",
    "https://пример.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.2/",
    `https://long.example/${"x".repeat(512)}`,
  ])("takes no redirect to %s", async (uri) => {
    const { json, status } = await register(uris("https://good.example/callback", uri))
    expect([status, json["error"]]).toEqual([400, "invalid_redirect_uri"])
  })

  test.each([
    [{}],
    [uris()],
    [{ redirect_uris: "https://good.example" }],
    [uris(...Array.from({ length: 11 }, (_, n) => `https://good.example/${n}`))],
    [{ ...uris("https://good.example"), client_name: "x".repeat(401) }],
    [{ ...uris("https://good.example"), grant_types: ["client_credentials"] }],
    [{ ...uris("https://good.example"), response_types: ["token"] }],
  ])("refuses %j", async (body) => {
    const { json, status } = await register(body)
    expect([status, json["error"]]).toEqual([400, "invalid_client_metadata"])
  })

  test("shows a name as one line of what can be seen", async () => {
    const client_name = "Your bank\u202e\n<b>pay</b>\u200b"
    const { json } = await register({ ...uris("https://good.example"), client_name })
    expect(json["client_name"]).toBe("Your bank <b>pay</b>")
  })
})

test("every answer to a program is kept by nobody, and another method is refused", async () => {
  const answer = await post(app, "/oauth/token", { grant_type: "password" })
  expect([answer.status, answer.error]).toEqual([400, "unsupported_grant_type"])
  expect(answer.headers.get("cache-control")).toBe("no-store")
  expect((await fetch(`${app.url}/oauth/token`)).status).toBe(405)
})
