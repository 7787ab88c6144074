import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import type { Core } from "./handlers/Core.ts"
import { discoveryHandlers } from "./handlers/discovery.ts"
import { operationsHandlers } from "./handlers/operations.ts"
import { sandboxHandlers } from "./handlers/sandbox.ts"
import { sandboxPaidHandlers } from "./handlers/sandboxPaid.ts"
import { useCaseHandlers } from "./handlers/useCases.ts"
import type { Handlers, Impossible } from "./koa/Handlers.ts"
import type { ServerState } from "./koa/Interface.ts"
import type { Documents } from "./openapi.ts"
import { type Route, routesOf } from "./koa/Route.ts"

/** Makes the OpenAPI documents when they are requested. */
type MakeDocuments = () => Documents

const liveHandlers = (state: ServerState, documents: MakeDocuments, sells = false) =>
  ({
    ...useCaseHandlers,
    operations: operationsHandlers(state, documents),
    discovery: discoveryHandlers(state, documents, sells),
  }) satisfies Handlers<typeof LiveApi, Core>

const allHandlers = (state: ServerState, documents: MakeDocuments) =>
  ({
    ...liveHandlers(state, documents, true),
    sandbox: sandboxHandlers,
    sandboxPaid: sandboxPaidHandlers(),
  }) satisfies Handlers<typeof Api, Core | Inbox | Sandbox>

type None<Found extends never> = Found

/** An endpoint that declares a code that its use case cannot give does not compile. */
type _EveryCodeIsGiven = None<Impossible<typeof Api, ReturnType<typeof allHandlers>>>

/** Returns the routes of a live installation, for the server whose state they get. */
export const liveRoutes =
  (documents: MakeDocuments) =>
  (state: ServerState): ReadonlyArray<Route<Core>> =>
    routesOf(LiveApi, liveHandlers(state, documents))

/** Returns the routes of a sandbox, including its controls. */
export const sandboxRoutes =
  (documents: MakeDocuments) =>
  (state: ServerState): ReadonlyArray<Route<Core | Inbox | Sandbox>> =>
    routesOf(Api, allHandlers(state, documents))
