import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Apps of tests on free ports of this machine. */
export class Listening {
  readonly #servers: Array<Server> = []

  /** The address of an app that listens now. */
  async open(answer: (req: IncomingMessage, res: ServerResponse) => unknown): Promise<string> {
    const server = createServer((req, res) => void answer(req, res))
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Closes all servers, even while they answer. */
  async close(): Promise<void> {
    for (const server of this.#servers) server.closeAllConnections()
    await Promise.all(this.#servers.map((server) => new Promise((done) => server.close(done))))
  }
}
