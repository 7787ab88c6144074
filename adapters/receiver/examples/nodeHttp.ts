import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { memorySeen, readRawBody, receive, type ReceiveOptions, WebhookError } from "../webhooks.ts"

type Options = Omit<ReceiveOptions, "seen">

/** A receiver on plain node:http. `report` gets refusals and errors. */
export const webhookServer = (options: Options, report: (error: unknown) => void) => {
  const seen = memorySeen()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const body = await readRawBody(request)
      const { status } = await receive({ headers: request.headers, body }, { ...options, seen })
      response.writeHead(status).end()
    } catch (error) {
      report(error)
      const status = error instanceof WebhookError ? error.status : 500
      response.writeHead(status, { Connection: "close" }).end()
    }
  }
  return createServer((request, response) => void answer(request, response))
}
