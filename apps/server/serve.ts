import { Deferred, Effect, Fiber, Layer } from "effect"
import { HttpServer } from "../../adapters/http/koa/HttpServer.ts"
import { layerSandbox } from "../../adapters/http/server.ts"
import { workLoop } from "../../core/work/workLoop.ts"
import { localUrl, reservePort } from "./address.ts"
import { openDemoAccounts } from "./demoAccounts.ts"
import { greeting } from "./greeting.ts"
import { openSecrets } from "./secrets.ts"
import { services } from "./services.ts"
import type { Settings } from "./settings.ts"

/** How long requests in flight may go on after the signal to stop, in milliseconds. */
const DRAIN_WITHIN = 7_000

/** Starts what the roles ask for, and runs until it is interrupted. */
export const serve = Effect.fnUntraced(function* (
  settings: Settings,
  print: (text: string) => Effect.Effect<void>,
) {
  const { host, roles } = settings
  const api = roles.has("api")
  const port = api ? yield* reservePort(host, settings.port) : settings.port
  const secrets = yield* openSecrets(settings)
  const local = localUrl(host, port)
  const base = settings.base_url ?? local
  const served = yield* Deferred.make<string>()

  const context = yield* Layer.build(services(settings, secrets, base, Deferred.await(served)))
  yield* Effect.gen(function* () {
    yield* openDemoAccounts(secrets)
    const http = layerSandbox({
      host,
      port,
      adminKey: secrets.admin_key,
      drainWithin: DRAIN_WITHIN,
    })
    const drain = api
      ? Effect.map(HttpServer, (server) => server.drain).pipe(
          Effect.provide(yield* Layer.build(http)),
          Effect.flatten,
        )
      : Effect.void
    yield* Deferred.succeed(served, local)
    const worker = roles.has("worker") ? workLoop() : Effect.never
    const working = yield* Effect.forkChild(worker)
    yield* print(greeting(base, settings, secrets))
    const stop = Effect.all([drain, Fiber.interrupt(working)], { concurrency: 2, discard: true })
    return yield* Effect.onInterrupt(Fiber.join(working), () => stop)
  }).pipe(Effect.provide(context))
}, Effect.scoped)
