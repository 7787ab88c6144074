import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { Layer } from "effect"
import { once } from "node:events"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { makeClientDocuments } from "../../../adapters/webhooks/clientDocuments.ts"
import { ClientDocuments } from "../../../core/ports/ClientDocuments.ts"
import { activeService, type App, startApp } from "../../support/app.ts"
import { selfSigned } from "../../support/certificates.ts"
import { BASE, fetchOf, limits, post, REDIRECT } from "./Program.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true, base_url: BASE })
  service = await activeService(app)
})
afterAll(() => app.stop())

type Saved = Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0]
type Tokens = Parameters<OAuthClientProvider["saveTokens"]>[0]

/** The data that an MCP host stores for one server. */
const aHost = (clientMetadataUrl?: string) => {
  let client: Saved | undefined
  let tokens: Tokens | undefined
  let verifier = ""
  let sentTo: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
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
    client: () => client,
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

test("the protocol's own client is known by its document, and registers nowhere", async () => {
  const identity = selfSigned("localhost")
  let asked = 0
  const site = createServer(identity, (_, response) => {
    asked += 1
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document))
  })
  site.listen(0, "127.0.0.1")
  await once(site, "listening")
  const { port } = site.address() as AddressInfo
  const address = `https://localhost:${port}/client.json`
  const document = { client_id: address, client_name: "Reader", redirect_uris: [REDIRECT] }
  const programs = Layer.effect(
    ClientDocuments,
    makeClientDocuments({ local: true, ca: identity.cert }),
  )
  const own = await startApp({ sandbox: true, base_url: BASE, programs })
  onTestFinished(async () => {
    await own.stop()
    site.closeAllConnections()
    site.close()
  })
  const sold = await activeService(own)
  const host = aHost(address)
  const transport = new StreamableHTTPClientTransport(new URL(`${BASE}/mcp/market`), {
    authProvider: host.provider,
    fetch: fetchOf(own),
  })
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport)
  const pay = () => client.callTool({ name: "pay", arguments: { service_id: sold } })
  await expect(pay()).rejects.toThrow(UnauthorizedError)
  const request = Object.fromEntries(host.sentTo()?.searchParams ?? [])
  expect([request["client_id"], host.client()?.client_id]).toEqual([address, address])

  const { key } = own.buyer.api_key
  const path = "/v1/oauth/authorization"
  const shown = await own.call("GET", `${path}?${new URLSearchParams(request)}`, { key })
  expect(shown.json).toMatchObject({
    client_name: "Reader",
    client_host: `localhost:${port}`,
    redirect_host: "127.0.0.1",
  })
  const elsewhere = { ...request, redirect_uri: "https://evil.example/callback" }
  const refused = await own.call("GET", `${path}?${new URLSearchParams(elsewhere)}`, { key })
  expect([refused.status, refused.json["field"]]).toEqual([422, "redirect_uri"])
  const restrictions = limits({
    budget: { amount: { currency: "USD", value: 1000 }, period: "daily" },
  })
  const agreed = await own.call("POST", path, { key, body: { request, restrictions } })
  expect(agreed.status, agreed.text).toBe(201)
  await transport.finishAuth(new URL(String(agreed.json["redirect_to"])).searchParams)
  expect((await pay()).isError).toBeFalsy()
  await client.close()
  expect(asked).toBe(1)
  const log = await own.call("GET", "/v1/audit-log?limit=3", { key })
  expect(log.json["data"]).toMatchObject([
    { action: "api_key.used" },
    { action: "api_key.seen", details: { group: "pay" } },
    { action: "api_key.created", details: { client_host: `localhost:${port}` } },
  ])
  // The redirect address without the code's verifier is worthless.
  const code = String(new URL(String(agreed.json["redirect_to"])).searchParams.get("code"))
  const stolen = await post(own, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: "https://other.example/client.json",
    redirect_uri: REDIRECT,
    code_verifier: "x".repeat(43),
    code,
  })
  expect([stolen.status, stolen.error, asked]).toEqual([400, "invalid_grant", 1])
})

test.each([
  "https://localhost/",
  "https://169.254.169.254/latest",
  "http://localhost/x",
  "https://10.0.0.1/x",
])("no document is asked for inside: %s", async (client_id) => {
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: REDIRECT,
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  })
  const { key } = app.buyer.api_key
  const { json, status } = await app.call("GET", `/v1/oauth/authorization?${query}`, { key })
  expect([status, json["field"]]).toEqual([422, "client_id"])
})
