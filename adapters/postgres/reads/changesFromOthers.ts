import { Effect, Queue } from "effect"
import type { Database } from "../database.ts"
import type { CachedReads } from "./cachedReads.ts"
import { EVERYTHING } from "../commit/groupParameters.ts"

/** The pause before the connection is opened again. */
const PAUSE = "500 millis"

const listen = Effect.fnUntraced(function* (database: Database, reads: CachedReads) {
  const { listen: open, schema } = database
  const { close, listen: hear } = yield* Effect.acquireRelease(open, ({ close: end }) =>
    Effect.sync(() => end(true)),
  )
  const notices = yield* hear(schema.channel)
  // Closes before UNLISTEN is sent, which a server that hangs would not answer.
  yield* Effect.addFinalizer(() => Effect.sync(() => close(true)))
  reads.hear(true)
  while (true) {
    const { payload } = yield* Queue.take(notices)
    reads.forget(payload === EVERYTHING ? "everything" : payload.split(" "))
  }
}, Effect.scoped)

/** Drops what other processes change. Nothing is cached while they are not heard. */
export const followChanges = (database: Database, reads: CachedReads) =>
  listen(database, reads).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.sync(() => reads.hear(false)),
        Effect.logDebug(
          "The connection that listens for other processes' changes is interrupted.",
          cause,
        ),
      ),
    ),
    Effect.andThen(Effect.sleep(PAUSE)),
    Effect.forever,
  )
