import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { BASE, fetchOf, limits, REDIRECT } from "./Program.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true, base_url: BASE })
  service = await activeService(app)
})
afterAll(() => app.stop())

type Saved = Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0]
type Tokens = Parameters<OAuthClientProvider["saveTokens"]>[0]

/** What a host of MCP keeps for one server. */
const aHost = () => {
  let client: Saved | undefined
  let tokens: Tokens | undefined
  let verifier = ""
  let sentTo: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Reading assistant", redirect_uris: [REDIRECT] },
    clientInformation: () => client,
    saveClientInformation: (saved) => void (client = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    state: () => "a-state",
  }
  return {
    provider,
    sentTo: () => sentTo,
    tokens: () => tokens,
    keep: (kept: Tokens) => (tokens = kept),
  }
}

const DOORS = [
  {
    path: "/mcp",
    call: () => ({ name: `${service}__pay_one_time`, arguments: { manifest_id: service } }),
  },
  { path: "/mcp/market", call: () => ({ name: "pay", arguments: { service_id: service } }) },
]

test.each(DOORS)("the protocol's own client gets its token for $path by itself", async (door) => {
  const host = aHost()
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${BASE}${door.path}`), {
      authProvider: host.provider,
      fetch: fetchOf(app),
    })
  const first = transport()
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(first)
  const pay = (by: Client) => by.callTool(door.call())
  await expect(pay(client)).rejects.toThrow(UnauthorizedError)

  // The person's browser is sent to the consent screen, and comes back with a code.
  const asked = host.sentTo()
  expect(`${asked?.origin}${asked?.pathname}`).toBe(`${BASE}/console/authorize`)
  const request = Object.fromEntries(asked?.searchParams ?? [])
  const resource = `${BASE}${door.path}`
  expect(request).toMatchObject({ scope: "read pay", resource, state: "a-state" })
  const restrictions = limits({
    budget: { amount: { currency: "USD", value: 1000 }, period: "daily" },
  })
  const { json } = await app.call("POST", "/v1/oauth/authorization", {
    key: app.buyer.api_key.key,
    body: { request, restrictions },
  })
  await first.finishAuth(new URL(String(json["redirect_to"])).searchParams)

  expect((await pay(client)).isError).toBeFalsy()
  await client.close()

  // A token that is over is renewed without the person.
  const before = host.tokens()
  if (before === undefined) throw new Error("It has no tokens.")
  host.keep({ ...before, access_token: "ag_sk_test_over" })
  const again = new Client({ name: "test", version: "1.0.0" })
  await again.connect(transport())
  expect((await pay(again)).isError).toBeFalsy()
  expect(host.tokens()?.refresh_token).not.toBe(before.refresh_token)
  await again.close()
})

test.each(DOORS)("the metadata of $path names its address and where to ask", async ({ path }) => {
  const found = await fetch(`${app.url}/.well-known/oauth-protected-resource${path}`)
  expect(await found.json()).toMatchObject({
    resource: `${BASE}${path}`,
    authorization_servers: [BASE],
  })
  const asked = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "x", arguments: {} },
    }),
  })
  expect([asked.status, asked.headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource${path}"`,
  ])
})
