import { createServer } from "node:net"

/** A port of loopback that nobody has now, for programs that cannot take port 0. */
export const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
