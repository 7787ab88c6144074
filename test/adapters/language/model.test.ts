import { Effect, Layer, Logger, Redacted } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { modelLanguage } from "../../../adapters/language/layer.ts"
import type { ModelProtocol } from "../../../adapters/language/ModelSettings.ts"
import { usualTerms } from "../../../core/terms/Terms.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { Language } from "../../../core/ports/Language.ts"

const KEY = "key-of-the-tests"

interface Asked {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: { readonly [field: string]: unknown }
}

/** A provider that answers as a test says. */
const openProvider = async (answer: (response: ServerResponse) => void) => {
  const asked: Array<Asked> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const { headers, url = "" } = request
      asked.push({ path: url, headers, body: JSON.parse(body) as Asked["body"] })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/v1` }
}

const installation = Layer.succeed(Installation, {
  mode: "sandbox",
  base_url: "http://payport.test",
  catalog: defaultCatalog,
  currencies,
  terms: usualTerms,
  local_receivers: true,
})

const understand = (
  protocol: ModelProtocol,
  url: string,
  text: string,
  lines: Array<string> = [],
  timeout = 20_000,
) => {
  const key = Redacted.make(KEY)
  const settings = { protocol, model: "a-model", url, key, timeout }
  const log = Logger.layer([
    Logger.map(Logger.formatJson, (line) => {
      lines.push(line)
    }),
  ])
  return Effect.runPromise(
    Effect.flatMap(Language, (language) => language.understand(text)).pipe(
      Effect.provide(modelLanguage(settings)),
      Effect.provide(installation),
      Effect.provide(log),
    ),
  )
}

const said = {
  intent: "pay",
  confidence: 0.9,
  entities: { amount: "5", currency: "USD", service: "Weather" },
}

const ANSWERS: { readonly [P in ModelProtocol]: (text: object) => object } = {
  openai: (answer) => ({ choices: [{ message: { content: JSON.stringify(answer) } }] }),
  anthropic: (answer) => ({
    content: [{ type: "tool_use", name: "understanding", input: answer }],
  }),
}

const late = (): void => {}

const json = (answer: object) => (response: ServerResponse) => {
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(answer))
}

describe.each(["openai", "anthropic"] as const)("a model that speaks %s", (protocol) => {
  test("is asked for the schema, with the text as data, and believed", async () => {
    const { asked, url } = await openProvider(json(ANSWERS[protocol](said)))
    expect(await understand(protocol, url, 'Send "Weather" a fiver')).toEqual(said)
    const [request] = asked
    expect(request?.path).toBe(protocol === "openai" ? "/v1/chat/completions" : "/v1/messages")
    const { authorization, "x-api-key": apiKey } = request?.headers ?? {}
    expect(protocol === "openai" ? authorization : apiKey).toContain(KEY)
    const sent = JSON.stringify(request?.body)
    expect(sent).toContain("a-model")
    expect(sent).toContain("query_invoice")
    const messages = request?.body["messages"] as ReadonlyArray<{ role: string; content: string }>
    expect(messages.at(-1)).toEqual({
      role: "user",
      content: JSON.stringify({ text: 'Send "Weather" a fiver' }),
    })
  })

  test.each([
    ["do not refund pi_01997d3e-8a00-7000-8000-000000000001", "refund", 0.5],
    ["show my unpaid invoices", "refund", 0.5],
    ["把 pi_01997d3e-8a00-7000-8000-000000000001 取消付款", "refund", 0.5],
    ["refund pi_01997d3e-8a00-7000-8000-000000000001", "refund", 0.9],
    ["the usual for Weather, would you", "pay", 0.9],
  ] as const)("%s: %s is said with %d", async (text, intent, confidence) => {
    const answer = { intent, confidence: 0.9, entities: {} }
    const { url } = await openProvider(json(ANSWERS[protocol](answer)))
    expect(await understand(protocol, url, text)).toEqual({ ...answer, confidence })
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ["answers too late", late],
    ["fails", (response) => void response.writeHead(500).end(KEY)],
    ["refuses the key", (response) => void response.writeHead(401).end(KEY)],
    ["hangs up", (response) => void response.destroy()],
    ["answers no JSON", (response) => void response.end("<html>")],
    ["answers something else", json({ choices: [], content: [] })],
    ["answers another schema", json(ANSWERS[protocol]({ intent: "steal", confidence: 1 }))],
    ["is surer than sure", json(ANSWERS[protocol]({ ...said, confidence: 7 }))],
    ["answers without end", (response) => void response.end(Buffer.alloc(1_000_000, 32))],
  ])("that %s is stood in for by the rules", async (_case, answer) => {
    const { url } = await openProvider(answer)
    const lines: Array<string> = []
    const timeout = answer === late ? 500 : undefined
    const understood = await understand(protocol, url, "Pay US$5 to Weather", lines, timeout)
    expect(understood).toMatchObject({ intent: "pay", entities: { amount: "5", currency: "USD" } })
    expect(lines.join("\n")).toContain("the language model failed or gave no valid answer")
    expect(lines.join("\n")).not.toContain(KEY)
  })
})
