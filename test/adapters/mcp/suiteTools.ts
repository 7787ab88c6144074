import { createHash } from "node:crypto"
import { SessionIds } from "../../../adapters/mcp/SessionIds.ts"
import type { CallToolResult, Tool } from "@modelcontextprotocol/server"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import { SERVICES } from "../../../adapters/mcp/doors.ts"
import { Engine } from "../../../adapters/mcp/Engine.ts"
import { MCP_LIMITS } from "../../../adapters/mcp/limits.ts"
import { receive } from "../../../adapters/mcp/receive.ts"
import { type Call, InvalidParams } from "../../../adapters/mcp/Tools.ts"
import { sendResponse, webRequest } from "../../../adapters/mcp/webRequest.ts"

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

const text = (said: string) => ({ type: "text" as const, text: said })
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" }
const resource = (uri: string, mimeType: string, said: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: said },
})

/** The answers of the conformance suite's own tools. */
const ANSWERS: { readonly [tool: string]: CallToolResult } = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [resource("test://embedded-resource", "text/plain", "An embedded resource.")],
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  },
  json_schema_2020_12_tool: { content: [text("done")] },
}

const NO_ARGUMENTS: Tool["inputSchema"] = { type: "object" }

/** A schema with the keywords that the suite looks for in the list. */
const SCHEMA_2020 = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
}`) as Tool["inputSchema"]

const tools = {
  list: () =>
    Promise.resolve({
      tools: Object.keys(ANSWERS).map((name) => ({
        name,
        description: name,
        inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA_2020 : NO_ARGUMENTS,
      })),
    }),
  call: ({ name }: Call) => {
    const answer = ANSWERS[name]
    return answer === undefined
      ? Promise.reject(new InvalidParams(`Unknown tool ${name}`))
      : Promise.resolve(answer)
  },
}

const ids = new SessionIds(
  {
    equal: (a, b) => a === b,
    fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
  },
  MCP_LIMITS.sessions.longest,
)

/** The protocol as it is served on `/mcp`, with the suite's tools in place of the services'. */
export const openSuiteTools = async (): Promise<string> => {
  const engine = new Engine([{ door: SERVICES, tools }], MCP_LIMITS, ids)
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const done = new Promise<void>((resolve) => res.once("close", resolve))
    const received = req.method === "POST" ? await receive(req) : undefined
    const message = received?.type === "message" ? received.message : undefined
    const { headers } = req
    const gone = new AbortController().signal
    const request = () => webRequest(req, `http://${headers.host}/mcp`, gone)
    const refused = received?.type === "refused" ? received.response : undefined
    const nobody = { key: undefined, address: "127.0.0.1" }
    const arrival = { path: "/mcp", headers, request, message, ...nobody, done, gone }
    await sendResponse(req, res, refused ?? (await engine.serve(arrival)), {})
  }
  const server = createServer((req, res) => void serve(req, res))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    await engine.close()
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`
}
