import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import type { Core } from "./handlers/Core.ts"
import { operationsHandlers } from "./handlers/operations.ts"
import { sandboxHandlers } from "./handlers/sandbox.ts"
import { sandboxPaidHandlers } from "./handlers/sandboxPaid.ts"
import type { Handlers, Impossible } from "./koa/Handlers.ts"
import * as HttpServer from "./koa/HttpServer.ts"
import type { ServerState } from "./koa/Interface.ts"
import { routesOf } from "./koa/Route.ts"
import { documentOf } from "./openapi.ts"
import { useCaseHandlers } from "./handlers/useCases.ts"

type Document = { readonly [key: string]: unknown }

const liveHandlers = (state: ServerState, document: Document) =>
  ({
    ...useCaseHandlers,
    operations: operationsHandlers(state, document),
  }) satisfies Handlers<typeof LiveApi, Core>

const allHandlers = (state: ServerState, document: Document) =>
  ({
    ...liveHandlers(state, document),
    sandbox: sandboxHandlers,
    sandboxPaid: sandboxPaidHandlers(),
  }) satisfies Handlers<typeof Api, Core | Inbox | Sandbox>

type None<Found extends never> = Found

/** An endpoint that declares a code which its use case cannot give does not compile. */
type _EveryCodeIsGiven = None<Impossible<typeof Api, ReturnType<typeof allHandlers>>>

const baseUrl = Effect.map(Installation, ({ base_url }) => base_url)

/** Serves the interface of a live installation: without the sandbox's routes. */
export const layerLive = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core> =>
  Layer.unwrap(
    Effect.map(baseUrl, (url) => {
      const document = documentOf(LiveApi, url)
      return HttpServer.layer<Core>(options, (state) =>
        routesOf(LiveApi, liveHandlers(state, document)),
      )
    }),
  )

/** Serves the whole interface, with the sandbox's controls. */
export const layerSandbox = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core | Inbox | Sandbox> =>
  Layer.unwrap(
    Effect.map(baseUrl, (url) => {
      const document = documentOf(Api, url)
      return HttpServer.layer<Core | Inbox | Sandbox>(options, (state) =>
        routesOf(Api, allHandlers(state, document)),
      )
    }),
  )
