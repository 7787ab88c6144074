import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import type { Core } from "./handlers/Core.ts"
import * as HttpServer from "./koa/HttpServer.ts"
import { documentOf } from "./openapi.ts"
import { liveRoutes, sandboxRoutes } from "./routes.ts"

const baseUrl = Effect.map(Installation, ({ base_url }) => base_url)

/** Serves the interface of a live installation: without the sandbox's routes. */
export const layerLive = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core> =>
  Layer.unwrap(
    Effect.map(baseUrl, (url) => {
      const document = documentOf(LiveApi, url)
      return HttpServer.layer(
        options,
        liveRoutes(() => document),
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
      return HttpServer.layer(
        options,
        sandboxRoutes(() => document),
      )
    }),
  )
