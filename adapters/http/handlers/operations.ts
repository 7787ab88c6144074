import { Effect } from "effect"
import { Store } from "../../../core/ports/Store.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import type { operations } from "../contract/operations.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { ServerState } from "../koa/HttpServer.ts"

const notReady = (message: string) =>
  new Failure({ code: "TEMPORARILY_UNAVAILABLE", message, retry_after: 1 })

const ready = (state: ServerState) =>
  Effect.gen(function* () {
    if (state.isDraining()) return yield* notReady("The service is stopping.")
    const store = yield* Store
    yield* store.ping().pipe(
      Effect.timeoutOrElse({
        duration: "2 seconds",
        orElse: () => Effect.fail(notReady("The store does not answer.")),
      }),
    )
    return { status: "ok" } as const
  })

/** `document` is the OpenAPI document that is served. */
export const operationsHandlers = (
  state: ServerState,
  document: { readonly [key: string]: unknown },
): GroupHandlers<typeof operations, Store> => ({
  health: () => Effect.succeed({ status: "ok" } as const),
  ready: () => ready(state),
  metrics: () => state.metrics,
  openapi: () => Effect.succeed(document),
})
