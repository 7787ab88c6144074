import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A receiver of webhooks that takes everything, and has it by event and payment. */
export interface Receiver {
  readonly endpoint: string
  /** `<id of the payment> <type of the event>` of everything that came. */
  readonly received: ReadonlySet<string>
  readonly close: () => Promise<void>
}

interface Told {
  readonly type: string
  readonly data?: { readonly id?: string }
}

/** Opens a receiver on a free port of loopback. */
export const openReceiver = async (): Promise<Receiver> => {
  const received = new Set<string>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const { data, type } = JSON.parse(body) as Told
      received.add(`${data?.id ?? ""} ${type}`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { endpoint: `http://127.0.0.1:${port}/hooks`, received, close }
}
