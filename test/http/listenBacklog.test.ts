import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { expect, test } from "vitest"
import { LISTEN_BACKLOG } from "../../adapters/shared/addresses/Connections.ts"
import { holdPort } from "../../apps/server/address.ts"
import { startApp } from "../support/app.ts"

/** More than Node's own backlog, and fewer than one address may have. */
const CALLERS = 900

/** Linux's code for a connection that is not accepted yet. */
const ASKING = "02"

const limit = (): number => {
  try {
    return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"))
  } catch {
    return 0
  }
}

/** Counts the connections to the port that are not accepted yet. */
const asking = (port: number): number => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)
  return lines.filter((line) => {
    const [, , remote = "", state] = line.trim().split(/\s+/)
    return state === ASKING && remote.endsWith(suffix)
  }).length
}

const open = (port: number, sockets: Array<Socket>) => {
  for (let n = 0; n < CALLERS; n++) sockets.push(connect({ port, host: "127.0.0.1" }))
  // Connections are opened at the end of this turn, before the server accepts one.
  return new Promise<number>((found) => process.nextTick(() => found(asking(port))))
}

test.skipIf(limit() < LISTEN_BACKLOG)(
  "callers that come while the process is busy are connected at once",
  async () => {
    const scope = Scope.makeUnsafe()
    const sockets: Array<Socket> = []
    const held = await Effect.runPromise(Scope.provide(holdPort("127.0.0.1", 0), scope))
    const app = await startApp(held)
    try {
      expect(await open(app.port, sockets)).toBe(0)
      await turn()
      expect((await app.call("GET", "/healthz")).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.on("error", () => undefined).destroy()
      await app.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  },
)
