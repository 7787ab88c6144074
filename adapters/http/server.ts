import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { once } from "../shared/once.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import type { Core } from "./handlers/Core.ts"
import * as HttpServer from "./koa/HttpServer.ts"
import { documentsOf } from "./openapi.ts"
import { liveRoutes, sandboxRoutes } from "./routes.ts"

/** The base URL and the channels of the installation. */
const served = Effect.map(Installation, ({ base_url, catalog }) => ({
  url: base_url,
  channels: catalog.map(({ id }) => id),
}))

/** Serves the interface of a live installation, without the sandbox's routes. */
export const layerLive = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core> =>
  Layer.unwrap(
    Effect.map(served, ({ channels, url }) => {
      // Making them takes 0.4 s, which would block requests. So they are made before requests come.
      const documents = documentsOf(LiveApi, url, channels)
      return HttpServer.layer(
        options,
        liveRoutes(() => documents),
      )
    }),
  )

/**
 * Serves the whole interface with the sandbox's controls. Its documents are made at the first
 * request for them: sandboxes start often, for example for each test, and few need them.
 */
export const layerSandbox = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core | Inbox | Sandbox> =>
  Layer.unwrap(
    Effect.map(served, ({ channels, url }) =>
      HttpServer.layer(options, sandboxRoutes(once(() => documentsOf(Api, url, channels)))),
    ),
  )
