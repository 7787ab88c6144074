import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request on its way to the service, with its body. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** An answer on its way back. */
export interface Answered {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
}

/** Passes a request on, as it is or otherwise. */
export type Pass = (passing: Passing) => Promise<Answered>

/** Handles a request in a proxy; `pass` sends it on. */
export type Meddle = (passing: Passing, pass: Pass) => Promise<Answered>

const bodyOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"])

const texts = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP.has(name) ? [] : [[name, String(value)]],
    ),
  )

const passTo =
  (target: () => string): Pass =>
  ({ body, headers, method, path }) =>
    new Promise((resolve, reject) => {
      const asked = request(`${target()}${path}`, { method, headers }, (answer) => {
        bodyOf(answer).then(
          (text) =>
            resolve({ status: answer.statusCode ?? 0, headers: texts(answer.headers), text }),
          reject,
        )
      })
      asked.on("error", reject)
      asked.end(body)
    })

/** A server in front of another that passes everything on, and meddles with it. */
export const startProxy = async (target: () => string, meddle: Meddle) => {
  const pass = passTo(target)
  const methods = new Map<string, number>()
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url: path = "/" } = incoming
    methods.set(method, (methods.get(method) ?? 0) + 1)
    const body = await bodyOf(incoming)
    const { headers, status, text } = await meddle(
      { method, path, headers: texts(incoming.headers), body },
      pass,
    )
    response.writeHead(status, headers).end(text)
  }
  const server = createServer((incoming, response) => {
    take(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The number of requests by method. */
    methods,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
