import { DefaultAgentCardResolver } from "@a2a-js/sdk/client"
import { checkEndpointSchema } from "@agentcash/discovery"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { HTTPFacilitatorClient } from "@x402/core/http"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { Mounted, MountOptions } from "../../adapters/http/mount.ts"
import type { ApiCatalog, ServerCard, X402Discovery } from "../../adapters/http/discovery/Wire.ts"
import { openMcpEndpoint } from "../../adapters/mcp/McpEndpoint.ts"
import { Intake } from "../../adapters/shared/Intake.ts"
import { activeService, type App, BASE_URL, startApp } from "../support/app.ts"

let app: App
let live: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  live = await startApp()
  service = await activeService(app)
})
afterAll(() => Promise.all([app.stop(), live.stop()]))

const opened: Array<Mounted> = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.close()))
})

const CARD = "/.well-known/agent-card.json"
const SERVER_CARD = "/.well-known/mcp/server-card.json"
const X402 = "/.well-known/x402"
const CATALOG = "/.well-known/api-catalog"
const DOCUMENTS = [CARD, SERVER_CARD, X402, CATALOG, "/openapi.json", "/openapi/buyer.json"]

const read = async <A>(path: string, of: App = app): Promise<A> => {
  const reply = await of.call("GET", path, { key: null })
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text) as A
}

/** Returns the real address for a public address of the app under test. */
const reached = (href: string): string => href.replace(BASE_URL, app.url)

describe("the agent card", () => {
  test("is read by the client of A2A, with every address and how to sign in", async () => {
    const card = await new DefaultAgentCardResolver().resolve(app.url)
    expect(card.name).toBe("payport")
    expect(
      card.supportedInterfaces.map(({ protocolBinding, url }) => [url, protocolBinding]),
    ).toEqual([
      [`${BASE_URL}/mcp/market`, "https://modelcontextprotocol.io"],
      [`${BASE_URL}/mcp`, "https://modelcontextprotocol.io"],
      [`${BASE_URL}/v1`, "https://spec.openapis.org/oas/3.1"],
    ])
    expect(card.skills.length).toBeGreaterThan(2)
    expect(card.securitySchemes["key"]?.scheme).toMatchObject({
      $case: "httpAuthSecurityScheme",
      value: { scheme: "Bearer" },
    })
    expect(card.securityRequirements).toHaveLength(1)
    expect(card.capabilities).toMatchObject({ streaming: false, pushNotifications: false })
  })

  test("claims none of A2A's own bindings, which nothing here speaks", async () => {
    const card = await new DefaultAgentCardResolver().resolve(app.url)
    for (const { protocolBinding } of card.supportedInterfaces) {
      expect(["JSONRPC", "GRPC", "HTTP+JSON"]).not.toContain(protocolBinding)
    }
  })
})

describe("the server card of MCP", () => {
  test("leads a client of MCP to the tools", async () => {
    const card = await read<ServerCard>(SERVER_CARD)
    expect(card.remotes.length).toBeGreaterThan(0)
    for (const { supportedProtocolVersions, url } of card.remotes) {
      const client = new Client({ name: "test", version: "1" })
      await client.connect(new StreamableHTTPClientTransport(new URL(reached(url))))
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
      expect(client.getServerVersion()).toMatchObject({ name: card.title, version: card.version })
      expect(supportedProtocolVersions).toContain(client.getNegotiatedProtocolVersion())
      await client.close()
    }
  })

  test("speaks every revision that it names", async () => {
    const [remote] = (await read<ServerCard>(SERVER_CARD)).remotes
    for (const version of remote?.supportedProtocolVersions ?? []) {
      const answer = await fetch(reached(remote?.url ?? ""), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": version,
          "mcp-method": "tools/list",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/list",
          params: {
            ...(version >= "2026" && {
              _meta: {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
              },
            }),
          },
        }),
      })
      expect(await answer.json(), version).toHaveProperty("result.tools")
    }
  })

  test("keeps to the form of SEP-2127", async () => {
    const card = await read<ServerCard>(SERVER_CARD)
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(card.description.length).toBeLessThanOrEqual(100)
    expect(card.$schema).toMatch(/\/schemas\/v2\/server-card\.schema\.json$/)
  })
})

describe("what is sold by x402", () => {
  test("is what the discovery client of x402 finds a price for", async () => {
    const { resources } = await read<X402Discovery>(X402)
    expect(resources).toContain(`${BASE_URL}/v1/sandbox/paid/${service}`)
    for (const resource of resources) {
      const found = await checkEndpointSchema({ url: reached(resource), probe: true })
      expect(found).toMatchObject({ found: true })
    }
  })

  test("is settled by the facilitator that it names, as its client sees it", async () => {
    const { facilitator } = await read<X402Discovery>(X402)
    const client = new HTTPFacilitatorClient({ url: reached(facilitator.url) })
    expect((await client.getSupported()).kinds).toEqual(facilitator.kinds)
  })

  test("is nothing where no endpoint is sold: sellers have addresses of their own", async () => {
    await activeService(live)
    expect((await read<X402Discovery>(X402, live)).resources).toEqual([])
  })
})

describe("the catalog", () => {
  test("links to what is there, each with the type that it has", async () => {
    const { linkset } = await read<ApiCatalog>(CATALOG)
    const links = linkset.flatMap(({ anchor: _, item: __, ...relations }) =>
      Object.values(relations).flatMap((each) => each ?? []),
    )
    expect(links.length).toBeGreaterThan(6)
    for (const { href, type } of links) {
      const answer = await fetch(reached(href))
      expect(answer.status, href).toBe(200)
      expect(answer.headers.get("content-type")?.split(";")[0], href).toBe(type)
      await answer.arrayBuffer()
    }
  })

  test("is of the media type that RFC 9727 asks for", async () => {
    const { headers } = await app.call("GET", CATALOG, { key: null })
    expect(headers.get("content-type")).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
  })
})

describe("every public document", () => {
  test.each(DOCUMENTS)("%s may be read by any page, and kept", async (path) => {
    const first = await fetch(`${app.url}${path}`, { headers: { origin: "https://a.example" } })
    expect(first.headers.get("access-control-allow-origin")).toBe("*")
    expect(first.headers.get("access-control-allow-credentials")).toBeNull()
    expect(first.headers.get("cache-control")).toBe("public, max-age=300")
    const tag = first.headers.get("etag") ?? ""
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    const text = await first.text()
    for (const asked of [tag, `W/${tag}`, `"another", ${tag}`]) {
      const again = await fetch(`${app.url}${path}`, { headers: { "if-none-match": asked } })
      expect(again.status, asked).toBe(304)
      expect(again.headers.get("etag")).toBe(tag)
      expect(await again.text()).toBe("")
    }
    const changed = await fetch(`${app.url}${path}`, { headers: { "if-none-match": '"another"' } })
    expect(await changed.text()).toBe(text)
    const head = await fetch(`${app.url}${path}`, { method: "HEAD" })
    expect(head.headers.get("etag")).toBe(tag)
    expect(await head.text()).toBe("")
  })

  test("answers with a part for each audience, and with nothing else", async () => {
    const [whole, seller] = [await read("/openapi.json"), await read("/openapi/seller.json")]
    expect(seller).toMatchObject({ openapi: "3.1.0", servers: [{ url: BASE_URL }] })
    expect(JSON.stringify(seller).length).toBeLessThan(JSON.stringify(whole).length / 2)
    for (const path of ["/openapi/nobody.json", "/openapi/buyer", "/openapi/__proto__"]) {
      expect((await app.call("GET", path, { key: null })).status, path).toBe(404)
    }
  })
})

describe("in somebody else's app", () => {
  const base_url = "https://shop.test/pay"
  const mounted = (options: MountOptions = {}): Mounted => {
    const made = app.mount({ base_url, ...options })
    opened.push(made)
    return made
  }
  const get = async (made: Mounted, path: string) =>
    made.fetch(new Request(`https://shop.test/pay${path}`))

  test("is there only where the app says so", async () => {
    for (const path of [CARD, SERVER_CARD, X402, CATALOG]) {
      expect((await get(mounted(), path)).status, path).toBe(404)
    }
    expect((await get(mounted(), "/openapi/buyer.json")).status).toBe(200)
    expect((await get(mounted({ openapi: false }), "/openapi/buyer.json")).status).toBe(404)
  })

  test("names addresses under the prefix, and MCP where it is beside it", async () => {
    const alone = mounted({ discovery: true })
    expect((await get(alone, SERVER_CARD)).status).toBe(404)
    const endpoint = await app.run(openMcpEndpoint({ intake: new Intake() }))
    const both = mounted({ discovery: true, beside: [endpoint] })
    const card = (await (await get(both, SERVER_CARD)).json()) as ServerCard
    expect(card.name).toBe("test.shop/payport")
    expect(card.remotes.map(({ url }) => url)).toEqual([
      `${base_url}/mcp/market`,
      `${base_url}/mcp`,
    ])
    for (const path of [CARD, X402, CATALOG, "/openapi/buyer.json"]) {
      const text = await (await get(both, path)).text()
      const own = text.match(/https:\/\/shop\.test[^"\s]*/g) ?? []
      expect(own.length, path).toBeGreaterThan(0)
      expect(
        own.filter((href) => !href.startsWith(base_url)),
        path,
      ).toEqual([])
      expect(text, path).not.toContain(`${base_url}/docs`)
    }
  })
})
