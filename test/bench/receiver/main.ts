import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import type { Received, ReceiverPorts, ReceiverSaid, ReceiverSetUp } from "./Received.ts"

/** Twice as long as the service waits, in milliseconds. */
const HANGING = 10_000

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, "127.0.0.1", 4_096)
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

const tell = (said: ReceiverSaid) => process.send?.(said)

const taken = new Set<string>()
const received: { -readonly [K in keyof Received]: Received[K] } = {
  taken: 0,
  repeated: 0,
  hung: 0,
  hanging: 0,
  mostHanging: 0,
}

/** The handler of all receivers. Each attempt has a different key. */
const take: RequestListener = (request, response) => {
  request.resume().once("end", () => {
    const key = `${request.socket.localPort} ${String(request.headers["idempotency-key"])}`
    if (taken.has(key)) received.repeated += 1
    taken.add(key)
    received.taken = taken.size
    response.writeHead(200, { "Content-Length": 2 }).end("ok")
  })
}

const hang: RequestListener = (request, response) => {
  received.hung += 1
  received.hanging += 1
  received.mostHanging = Math.max(received.mostHanging, received.hanging)
  request.resume()
  const timer = setTimeout(() => response.end(), HANGING)
  response.once("close", () => {
    clearTimeout(timer)
    received.hanging -= 1
  })
}

const open = async ({ receivers }: ReceiverSetUp): Promise<ReceiverPorts> => ({
  quick: await Promise.all(Array.from({ length: receivers }, () => listen(take))),
  hanging: await listen(hang),
})

process.once("disconnect", () => process.exit())
process.on("message", (asked: ReceiverSetUp | "received" | "forget") => {
  if (asked === "forget") {
    taken.clear()
    Object.assign(received, { taken: 0, repeated: 0, hung: 0, mostHanging: 0 })
  }
  if (typeof asked === "string") tell({ received: { ...received } })
  else void open(asked).then(tell)
})
