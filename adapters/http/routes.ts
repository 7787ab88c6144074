import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import type { Core } from "./handlers/Core.ts"
import { operationsHandlers } from "./handlers/operations.ts"
import { sandboxHandlers } from "./handlers/sandbox.ts"
import { sandboxPaidHandlers } from "./handlers/sandboxPaid.ts"
import { useCaseHandlers } from "./handlers/useCases.ts"
import type { Handlers, Impossible } from "./koa/Handlers.ts"
import type { ServerState } from "./koa/Interface.ts"
import { type Route, routesOf } from "./koa/Route.ts"

/** The OpenAPI document, made when it is asked for. */
type Document = () => { readonly [key: string]: unknown }

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

/** The routes of a live installation, for the server whose state they are given. */
export const liveRoutes =
  (document: Document) =>
  (state: ServerState): ReadonlyArray<Route<Core>> =>
    routesOf(LiveApi, liveHandlers(state, document))

/** The routes of a sandbox, its controls among them. */
export const sandboxRoutes =
  (document: Document) =>
  (state: ServerState): ReadonlyArray<Route<Core | Inbox | Sandbox>> =>
    routesOf(Api, allHandlers(state, document))
