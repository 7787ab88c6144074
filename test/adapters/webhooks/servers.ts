import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createSecureServer } from "node:https"
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server as RawServer,
  type Socket,
} from "node:net"
import type { Identity } from "../../support/certificates.ts"

/** A running receiver and its requests. */
export interface Receiver {
  readonly port: number
  /** Every connection that was opened. */
  readonly sockets: ReadonlyArray<Socket>
  readonly bodies: ReadonlyArray<string>
}

const listening = (
  make: (bodies: Array<string>) => RawServer | Server,
): Effect.Effect<Receiver, never, Scope.Scope> => {
  const sockets: Array<Socket> = []
  const bodies: Array<string> = []
  const open = Effect.promise(async () => {
    const server: RawServer = make(bodies)
    server.on("connection", (socket: Socket) => {
      sockets.push(socket)
      socket.on("error", () => socket.destroy())
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  })
  return Effect.acquireRelease(open, (server) =>
    Effect.promise(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }),
  ).pipe(
    Effect.map((server) => ({ port: (server.address() as AddressInfo).port, sockets, bodies })),
  )
}

const collecting =
  (bodies: Array<string>, answer: RequestListener): RequestListener =>
  (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString())
      answer(request, response)
    })
  }

/** An HTTP receiver on a port of loopback that answers each request when all of it is there. */
export const httpReceiver = (answer: RequestListener) =>
  listening((bodies) => createServer(collecting(bodies, answer)))

export const httpsReceiver = (identity: Identity, answer: RequestListener) =>
  listening((bodies) => createSecureServer({ ...identity }, collecting(bodies, answer)))

/** A receiver that answers each connection freely, once it has received something. */
export const rawReceiver = (answer: (socket: Socket) => void) =>
  listening((bodies) =>
    createRawServer((socket) => {
      socket.on("data", (chunk: Buffer) => bodies.push(chunk.toString()))
      socket.once("data", () => answer(socket))
    }),
  )
