import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A receiver of webhooks that takes everything, and has it by event and payment. */
export interface Receiver {
  readonly endpoint: string
  /** `<id of the payment> <type of the event>` of everything received. */
  readonly received: ReadonlySet<string>
  /**
   * Loses this share of deliveries from now on: the request, or its answer, or the connection is
   * silent.
   */
  readonly lose: (share: number) => void
  readonly close: () => Promise<void>
}

interface Told {
  readonly type: string
  readonly data?: { readonly id?: string }
}

/**
 * The ways to lose a delivery. If the connection is silent, the sender has to give up by itself.
 */
const FATES = ["lost", "unanswered", "silent"] as const

/** Opens a receiver on a free port of loopback. */
export const openReceiver = async (): Promise<Receiver> => {
  const received = new Set<string>()
  let losing = 0
  const server = createServer((request, response) => {
    const fate = Math.random() < losing ? FATES[Math.floor(Math.random() * FATES.length)] : "heard"
    if (fate === "lost") return void request.destroy()
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const { data, type } = JSON.parse(body) as Told
      received.add(`${data?.id ?? ""} ${type}`)
      if (fate === "unanswered") request.destroy()
      else if (fate !== "silent") response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const lose = (share: number) => void (losing = share)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { endpoint: `http://127.0.0.1:${port}/hooks`, received, lose, close }
}
