import { createServer } from "node:http"
import type { App } from "../../../support/app.ts"
import { serve } from "../serve.ts"
import { fieldsOf } from "./subject.ts"

const KEY = "control-key-of-the-tests"

/** Serves the control interface of the README in front of an app, until the test ends. */
export const controlOf = async (app: App) => {
  const seen = new Set<string>()
  const answer = async (route: string, query: string, body: string) => {
    const fields = fieldsOf(body)
    const buyer = { key: app.buyer.api_key.key }
    switch (route) {
      case "POST /clock":
        return app.call("POST", "/v1/sandbox/clock/advance", { body: fields })
      case "POST /simulate": {
        const path = `/v1/sandbox/payment-intents/${String(fields["payment_intent"])}/simulate`
        return app.call("POST", path, { ...buyer, body: { action: fields["action"] } })
      }
      case "GET /channels":
        return app.call("GET", "/v1/sandbox/channels")
      case "PUT /faults": {
        const path = `/v1/sandbox/channels/${String(fields["channel"])}/faults`
        return app.call("PUT", path, { body: fields["faults"] })
      }
      case "GET /inbox":
        return app.call("GET", `/v1/sandbox/messages?${query}`, buyer)
      default:
        return { status: 404, text: "" }
    }
  }
  const url = await serve(
    createServer((request, response) => {
      const take = async () => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end()
        const [path = "", query = ""] = (request.url ?? "").split("?")
        const route = `${request.method} ${path}`
        seen.add(route)
        const { status, text } = await answer(route, query, Buffer.concat(chunks).toString())
        return response.writeHead(status, { "Content-Type": "application/json" }).end(text)
      }
      take().catch(() => response.writeHead(500).end())
    }),
  )
  return { url, key: KEY, routes: () => [...seen].toSorted() }
}
