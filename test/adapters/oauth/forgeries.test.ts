import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ADMIN_KEY, type App, callTool, startApp } from "../../support/app.ts"
import { BASE, limits, openProgram, post, type Program, REDIRECT } from "./Program.ts"

let app: App
let program: Program
let other: Program
beforeAll(async () => {
  app = await startApp({ sandbox: true, base_url: BASE })
  const { id } = app.buyer
  await app.call("PATCH", `/v1/accounts/${id}`, { key: ADMIN_KEY, body: { plan: "enterprise" } })
  program = await openProgram(app)
  other = await openProgram(app, "Another")
})
afterAll(() => app.stop())

type Fields = { readonly [name: string]: string }
type Forge = (right: Fields) => Fields | Promise<Fields>

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

/** The text with the character at a place replaced by another one. */
const changed = (text: string, at: number): string => {
  const place = at < 0 ? text.length + at : at
  return text.slice(0, place) + (text[place] === "A" ? "B" : "A") + text.slice(place + 1)
}
const partsOf = (token = "") => {
  const [head = "", generation = "", signature = ""] = token.split(".")
  return { head, generation, signature }
}

const codeFields = async (): Promise<Fields> => {
  const { request, verifier } = await program.ask()
  const { url } = await program.agree(request)
  return {
    grant_type: "authorization_code",
    code: String(url.searchParams.get("code")),
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    client_id: program.client.client_id,
    resource: `${BASE}/mcp`,
  }
}

const refreshFields = async (): Promise<Fields> => ({
  grant_type: "refresh_token",
  refresh_token: (await program.connect()).refresh_token,
  client_id: program.client.client_id,
})

const on =
  (name: string, forge: (text: string) => string): Forge =>
  (right) => ({
    ...right,
    [name]: forge(right[name] ?? ""),
  })
const instead =
  (said: Fields): Forge =>
  (right) => ({ ...right, ...said })
const without =
  (name: string): Forge =>
  (right) =>
    Object.fromEntries(Object.entries(right).filter(([each]) => each !== name))
const withGeneration = (generation: string) => (token: string) => {
  const { head, signature } = partsOf(token)
  return `${head}.${generation}.${signature}`
}
const asType = (mark: string) => (token: string) => mark + token.slice(3)
const ofAnother =
  (name: string, right: () => Promise<Fields>): Forge =>
  async (fields) => ({
    ...fields,
    [name]: partsOf(fields[name]).head + (await right())[name]?.slice(40),
  })

/** Forgeries of both kinds of token. */
const ON_TOKENS = (name: string, right: () => Promise<Fields>): ReadonlyArray<[string, Forge]> => [
  ["nothing", on(name, () => "")],
  ["its last character", on(name, (text) => changed(text, -2))],
  ["its key", on(name, (text) => changed(text, 39))],
  ["the signature of another", ofAnother(name, right)],
  ["no signature", on(name, (text) => text.slice(0, text.lastIndexOf(".") + 1))],
  ["a zero before its number", on(name, (text) => text.replace(".", ".0"))],
  ["the next number", on(name, withGeneration("2"))],
  ["more behind it", on(name, (text) => `${text}A`)],
  ["the access token", instead({ [name]: `ag_sk_test_${"A".repeat(43)}` })],
  ["another program's id", (fields) => ({ ...fields, client_id: other.client.client_id })],
  ["an id that was changed", on("client_id", (text) => changed(text, 10))],
  ["an id with another signature", on("client_id", (text) => changed(text, -5))],
  ["no id", without("client_id")],
  ["another address", instead({ resource: `${BASE}/v1` })],
]

test("no refresh token is taken once what the person agreed to is over", async () => {
  const expires_at = new Date(Date.now() + 600_000).toISOString()
  const { expires_in, refresh_token } = await program.connect(limits({ expires_at }))
  expect(expires_in).toBeLessThanOrEqual(600)
  await advance(601)
  expect((await program.refresh(refresh_token)).status).toBe(400)
})

describe("no code that was forged or is over is exchanged", () => {
  test.each<[string, Forge]>([
    ...ON_TOKENS("code", codeFields),
    ["as a refresh token", on("code", asType("ort"))],
    ["another verifier", instead({ code_verifier: "v".repeat(43) })],
    [
      "the challenge for a verifier",
      async (fields) => ({ ...fields, code_verifier: fields["code"]?.slice(-43) ?? "" }),
    ],
    ["a verifier with more behind it", on("code_verifier", (text) => `${text}A`)],
    ["a short verifier", on("code_verifier", (text) => text.slice(0, 42))],
    ["a verifier in other letters", on("code_verifier", (text) => text.toLowerCase())],
    ["no verifier", without("code_verifier")],
    ["another redirect", instead({ redirect_uri: "http://127.0.0.1:33418/other" })],
    ["another port", instead({ redirect_uri: "http://127.0.0.1:33419/callback" })],
    ["no redirect", without("redirect_uri")],
    ["a minute later", async (fields) => (await advance(61), fields)],
    [
      "after its key was revoked",
      async (fields) => {
        const id = `key_${String(fields["code"]).slice(4, 40)}`
        await app.call("DELETE", `/v1/api-keys/${id}`, { key: app.buyer.api_key.key })
        return fields
      },
    ],
    ["a second time", async (fields) => (await post(app, "/oauth/token", fields), fields)],
  ])("with %s", async (_name, forge) => {
    const fields = await forge(await codeFields())
    const { json, status } = await post(app, "/oauth/token", fields)
    expect([400, 401]).toContain(status)
    expect(json).not.toHaveProperty("access_token")
  })
})

describe("no refresh token that was forged or is over is taken", () => {
  test.each<[string, Forge]>([
    ...ON_TOKENS("refresh_token", refreshFields),
    ["as a code", on("refresh_token", asType("oac"))],
    ["number 0", on("refresh_token", withGeneration("0"))],
    ["a second time", async (fields) => (await post(app, "/oauth/token", fields), fields)],
  ])("with %s", async (_name, forge) => {
    const fields = await forge(await refreshFields())
    const { json, status } = await post(app, "/oauth/token", fields)
    expect([400, 401]).toContain(status)
    expect(json).not.toHaveProperty("access_token")
  })
})

describe("no access token that was forged or is over opens the tools", () => {
  type Tokens = Awaited<ReturnType<Program["connect"]>>
  const called = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, host: "payport.localhost" }
    const market = await callTool(app, "budget", {}, headers, "/mcp/market")
    expect(market.status).toBe(401)
    return (await callTool(app, "x__pay_one_time", {}, headers)).status
  }
  test.each<[string, (tokens: Tokens) => string | Promise<string>]>([
    ["a changed character", ({ access_token }) => changed(access_token, -1)],
    ["a seller's prefix", ({ access_token }) => access_token.replace("ag_", "")],
    ["the mode of another", ({ access_token }) => access_token.replace("test", "live")],
    ["the refresh token", ({ refresh_token }) => refresh_token],
    ["the code", ({ url }) => String(url.searchParams.get("code"))],
    ["the id of its key", ({ key_id }) => key_id],
    ["an hour later", async ({ access_token }) => (await advance(3601), access_token)],
    [
      "after a refresh",
      async ({ access_token, refresh_token }) => {
        await program.refresh(refresh_token)
        return access_token
      },
    ],
  ])("with %s", async (_name, forge) => {
    expect(await called(await forge(await program.connect()))).toBe(401)
  })

  const TOOLS = [
    { path: "/mcp", name: "x__pay_one_time" },
    { path: "/mcp/market", name: "budget" },
  ]
  test.each(
    TOOLS.flatMap((one) => TOOLS.map((other) => [other.path, one.path, one, other] as const)),
  )("one for %s opens %s or not", async (_for, _at, asked, granted) => {
    const { access_token } = await program.connect(undefined, `${BASE}${granted.path}`)
    const headers = { authorization: `Bearer ${access_token}`, host: "payport.localhost" }
    const answer = await callTool(app, asked.name, {}, headers, asked.path)
    expect(answer.status === 401).toBe(asked.path !== granted.path)
  })

  test.each([
    "/v1/payment-intents",
    "/v1/api-keys",
    "/v1/audit-log",
    "/v1/events",
    "/console/session",
  ])("nor does a right one open %s", async (path) => {
    const { access_token } = await program.connect()
    const headers = { authorization: `Bearer ${access_token}`, "x-payport-console": "1" }
    const answer = path.startsWith("/v1")
      ? await fetch(`${app.url}${path}`, { headers })
      : await fetch(`${app.url}${path}`, {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            "sec-fetch-site": "same-origin",
          },
          body: JSON.stringify({ key: access_token }),
        })
    expect(answer.status).toBe(401)
  })
})
