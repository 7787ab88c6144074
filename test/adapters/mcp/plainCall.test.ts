import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plainCall } from "../../../adapters/mcp/plainCall.ts"
import { activeService, type App, startApp } from "../../support/app.ts"

const REVISION = "2026-07-28"

const VERSION = "io.modelcontextprotocol/protocolVersion"
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

const META = {
  [VERSION]: REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  [CAPABILITIES]: { elicitation: {} },
}

type Fields = { readonly [name: string]: unknown }

const messageOf = (params: Fields, meta: Fields = META): Fields => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { ...params, _meta: meta },
})

const headersOf = (name: string) => ({
  "mcp-protocol-version": REVISION,
  "mcp-method": "tools/call",
  "mcp-name": name,
})

describe("a call", () => {
  const params = { name: "a__tool", arguments: { a: 1 } }
  const sound = messageOf(params)
  const headers = headersOf("a__tool")

  it("is recognized in its usual form", () => {
    expect(plainCall(headers, sound)).toEqual({ id: 7, params: sound["params"] })
    const bare = messageOf({ name: "a__tool" })
    expect(plainCall(headers, { ...bare, id: "x" })).toEqual({ id: "x", params: bare["params"] })
    const paid = messageOf(params, { ...META, "x402/payment": {} })
    expect(plainCall(headers, paid)?.params).toEqual(paid["params"])
  })

  it.each<readonly [string, Fields]>([
    ["another method", { ...sound, method: "tools/list" }],
    ["no id", { jsonrpc: "2.0", method: "tools/call", params: sound["params"] }],
    ["an id of another kind", { ...sound, id: null }],
    ["a field of no message", { ...sound, result: {} }],
    ["no JSON-RPC", { ...sound, jsonrpc: "1.0" }],
    ["no parameters", { ...sound, params: undefined }],
    ["no envelope", { ...sound, params }],
    ["an answer to a question", messageOf({ ...params, inputResponses: {} })],
    ["arguments in a list", messageOf({ ...params, arguments: [] })],
    ["arguments in a text", messageOf({ ...params, arguments: "a" })],
    ["another name", messageOf({ ...params, name: "b__tool" })],
    ["another revision", messageOf(params, { ...META, [VERSION]: "2027-01-01" })],
    ["a wish for progress", messageOf(params, { ...META, progressToken: 1 })],
    ["unsound capabilities", messageOf(params, { ...META, [CAPABILITIES]: "all" })],
  ])("with %s is left to the library", (_, message) => {
    expect(plainCall(headers, message)).toBeUndefined()
  })

  it.each<readonly [string, string | undefined]>([
    ["mcp-protocol-version", "2025-11-25"],
    ["mcp-protocol-version", undefined],
    ["mcp-method", "tools/list"],
    ["mcp-name", "another"],
    ["mcp-name", undefined],
  ])("with the header %s: %s is left to the library", (header, value) => {
    expect(plainCall({ ...headers, [header]: value }, sound)).toBeUndefined()
  })

  it("without a name, and without a header of it, is left to the library", () => {
    const { "mcp-name": _, ...others } = headers
    expect(plainCall(others, messageOf({ arguments: {} }))).toBeUndefined()
  })

  it("whose name a header would have to encode is left to the library", () => {
    const name = "=?base64?YQ==?="
    expect(plainCall(headersOf(name), messageOf({ name }))).toBeUndefined()
  })
})

describe("a call in its usual form is answered as the library answers it", () => {
  let app: App
  let service: string
  beforeAll(async () => {
    app = await startApp()
    service = await activeService(app)
  })
  afterAll(() => app.stop())

  /** Challenges and times differ from call to call. */
  const CHANGING = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]+Z/g
  const OWN = new Set(["x-request-id", "date", "content-length", "ratelimit-remaining"])

  const answerTo = async (path: string, name: string, given: object, meta: Fields) => {
    const answer = await fetch(`http://127.0.0.1:${app.port}${path}`, {
      method: "POST",
      headers: {
        ...headersOf(name),
        authorization: `Bearer ${app.buyer.api_key.key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(messageOf({ name, arguments: given }, meta)),
    })
    const said = await answer.text()
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([header]) => !OWN.has(header))),
      said: JSON.parse(said.replaceAll(CHANGING, "…")) as Fields,
    }
  }

  const pay = () => `${service}__pay_one_time`
  const bought = () => ({ manifest_id: service, idempotency_key: "once" })

  it.each<readonly [string, string, () => string, () => object, string]>([
    ["a purchase", "/mcp", pay, bought, `"replayed":true`],
    ["a refusal", "/mcp", pay, () => ({ ...bought(), amount: "much" }), `"isError":true`],
    ["an unknown tool", "/mcp", () => "no_tool", bought, `"code":-32602`],
    ["a demand of x402", "/mcp?payment=x402", pay, bought, "x402Version"],
    ["a demand of MPP", "/mcp?payment=mpp", pay, bought, "challenges"],
    ["a search", "/mcp/market", () => "search_services", () => ({ query: "a" }), `"services":`],
    ["a tool that the market lacks", "/mcp/market", pay, bought, `"code":-32602`],
  ])("%s", async (_, path, name, given, expected) => {
    // The first call makes the purchase that the others repeat.
    await answerTo(path, name(), given(), META)
    const plain = await answerTo(path, name(), given(), META)
    const other = await answerTo(path, name(), given(), { ...META, "com.example/more": 1 })
    expect(plain).toEqual(other)
    expect(JSON.stringify(plain.said)).toContain(expected)
  })
})
