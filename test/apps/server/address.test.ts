import { Effect, Exit, Scope } from "effect"
import { createServer } from "node:net"
import { expect, test } from "vitest"
import { holdPort } from "../../../apps/server/address.ts"
import { startApp } from "../../support/app.ts"

const listens = (port: number) =>
  new Promise<string>((found) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => found(String(error.code)))
    server.listen({ host: "127.0.0.1", port }, () => server.close(() => found("free")))
  })

test("a port that is held is nobody else's until the server has it, nor after", async () => {
  const scope = Scope.makeUnsafe()
  const held = await Effect.runPromise(Scope.provide(holdPort("127.0.0.1", 0), scope))
  expect(await listens(held.port)).toBe("EADDRINUSE")
  await expect(fetch(`http://127.0.0.1:${held.port}/healthz`)).rejects.toThrow("fetch failed")

  const app = await startApp(held)
  expect(app.port).toBe(held.port)
  expect(await listens(held.port)).toBe("EADDRINUSE")
  expect((await app.call("GET", "/healthz")).status).toBe(200)

  await app.stop()
  expect(await listens(held.port)).toBe("free")
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

test("a port that is held without a server is free again after its scope", async () => {
  const holding = Effect.map(holdPort("127.0.0.1", 0), ({ port }) => port)
  const port = await Effect.runPromise(Effect.scoped(holding))
  expect(await listens(port)).toBe("free")
})
