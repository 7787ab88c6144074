import { createServer } from "node:net"

/** Systems give the ports above to connections that go out, also between a look and a start. */
const FIRST = 10_240
const END = 32_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((found) => {
    const server = createServer()
    server.once("error", () => found(false))
    server.listen(port, "127.0.0.1", () => server.close(() => found(true)))
  })

/** Returns a free loopback port for programs that cannot take port 0. */
export const freePort = async (): Promise<number> => {
  const port = FIRST + Math.floor(Math.random() * (END - FIRST))
  return (await isFree(port)) ? port : freePort()
}
