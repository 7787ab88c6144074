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

test("a port that is held is nobody else's before the server has it, nor then", async () => {
  const scope = Scope.makeUnsafe()
  const held = await Effect.runPromise(Scope.provide(holdPort("127.0.0.1", 0), scope))
  expect(await listens(held.port)).toBe("EADDRINUSE")
  await expect(fetch(`http://127.0.0.1:${held.port}/healthz`)).rejects.toThrow("fetch failed")

  const app = await startApp(held)
  expect(app.port).toBe(held.port)
  expect(await listens(held.port)).toBe("EADDRINUSE")
  expect((await app.call("GET", "/healthz")).status).toBe(200)

  await app.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

// The test cannot check that the port is free, since another program may have taken it.
test("a port that is held without a server is let go after its scope", async () => {
  const holding = Effect.map(holdPort("127.0.0.1", 0), ({ place }) => place)
  expect(await Effect.runPromise(Effect.scoped(Effect.map(holding, (it) => it?.listening)))).toBe(
    true,
  )
  const place = await Effect.runPromise(Effect.scoped(holding))
  expect(place?.listening).toBe(false)
})
