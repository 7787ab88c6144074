import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent, request } from "undici"
import type { Asked, Reply } from "./Exchange.ts"

/** Answers a request; `behind` asks the service. Streams are passed through. */
export type Desk = (
  asked: Asked,
  behind: (asked: Asked) => Promise<Reply>,
) => Promise<Reply | "lost" | "streams">

/** A listener at the address that agents are given for the service. */
export interface Front {
  readonly url: string
  readonly close: () => Promise<void>
}

const MOST = 1_048_576

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST) throw new RangeError("The body is too long.")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Headers of one connection, which must not be passed on to another. */
const OF_THE_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

const namesOf = (headers: IncomingMessage["headers"]): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_HOP.has(name) ? [] : [[name, String(value)]],
    ),
  )

/** Whether a response may continue as long as somebody reads it. */
export const isStream = ({ headers, method }: Asked): boolean =>
  method === "GET" && (headers["accept"] ?? "").includes("text/event-stream")

/** Sends a request to the service behind, with the same headers. */
const forward = async (dispatcher: Agent, inner: string, asked: Asked): Promise<Reply> => {
  const { body, headers, method, path } = asked
  const answer = await request(`${inner}${path}`, {
    dispatcher,
    method: method as "GET",
    headers,
    ...(body !== "" && { body }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, headers: namesOf(answer.headers), body: text }
}

const pour = async (dispatcher: Agent, inner: string, asked: Asked, response: ServerResponse) => {
  const leaving = new AbortController()
  response.once("close", () => leaving.abort())
  const answer = await request(`${inner}${asked.path}`, {
    dispatcher,
    method: "GET",
    headers: asked.headers,
    signal: leaving.signal,
  })
  response.writeHead(answer.statusCode, namesOf(answer.headers))
  for await (const chunk of answer.body as AsyncIterable<Buffer>) response.write(chunk)
  response.end()
}

/** Listens on loopback; 0 is a free port. */
export const openFront = async (port: number, desk: Desk, inner: () => string): Promise<Front> => {
  const dispatcher = new Agent({ connections: 64 })
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked: Asked = {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: namesOf(incoming.headers),
      body: await readBody(incoming),
    }
    const reply = await desk(asked, (other) => forward(dispatcher, inner(), other))
    if (reply === "lost") return void incoming.socket.destroy()
    if (reply === "streams") return pour(dispatcher, inner(), asked, response)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  const server = createServer((incoming, response) => {
    // If a request cannot be answered, the agent gets a broken connection.
    handle(incoming, response).catch(() => incoming.socket.destroy())
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await dispatcher.destroy()
    },
  }
}
