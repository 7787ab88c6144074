import { Effect } from "effect"
import { WrongClock } from "../../../core/ports/ReferenceClock.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { StoreTrouble } from "../../../core/ports/StoreUnavailable.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { ReplicaStates } from "../../shared/ReplicaStates.ts"
import type { operations } from "../contract/operations.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { ServerState } from "../koa/Interface.ts"
import { Published } from "../koa/Published.ts"
import type { Documents } from "../openapi.ts"

/** Why the process is not ready, as text for people. Programs read the reason itself. */
const REASONS: { readonly [reason in StoreTrouble | "stopping"]: string } = {
  stopping: "The service is stopping.",
  read_only: "The database accepts no writes: its server is read-only or a replica.",
  full: "The disk of the database is full.",
  no_connections: "The database accepts no more connections.",
  no_answer: "The store does not answer.",
  unreachable: "The store cannot be reached.",
  refused: "The database refuses writes. The log has the reason.",
  clock: "The process's clock is too far off.",
  audit: "The audit log does not end with its head.",
  keys: "The master key of this process was replaced. Start it again with the present one.",
}

const notReady = (reason: keyof typeof REASONS, message = REASONS[reason]) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message,
    details: { reason },
    retry_after: 1,
  })

const ready = (state: ServerState) =>
  Effect.gen(function* () {
    if (state.isDraining()) return yield* notReady("stopping")
    const store = yield* Store
    yield* store.ping().pipe(
      Effect.timeoutOrElse({
        duration: "2 seconds",
        orElse: () => Effect.fail(notReady("no_answer")),
      }),
      Effect.catchTag("StoreUnavailable", ({ cause, trouble = "unreachable" }) =>
        Effect.andThen(
          Effect.logWarning("not ready", cause),
          notReady(trouble, cause instanceof WrongClock ? cause.message : undefined),
        ),
      ),
    )
    const replicas = (yield* ReplicaStates)()
    return { status: "ok" as const, ...(replicas.length > 0 && { replicas }) }
  })

/** `documents` makes the OpenAPI documents that are served. */
export const operationsHandlers = (
  state: ServerState,
  documents: () => Documents,
): GroupHandlers<typeof operations, Store> => {
  let whole: Published | undefined
  return {
    health: () => Effect.succeed({ status: "ok" } as const),
    ready: () => ready(state),
    metrics: () => state.metrics,
    openapi: ({ headers }) =>
      Effect.sync(() => {
        whole ??= new Published(documents().whole)
        return whole.answer(headers["if-none-match"])
      }),
  }
}
