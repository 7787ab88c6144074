import { PgConnection } from "@effect/sql-pg"
import { Effect, Queue } from "effect"
import type { CachedReads } from "./cachedReads.ts"
import { CHANGES_CHANNEL } from "../commit/commitFunction.ts"
import { EVERYTHING } from "../commit/groupParameters.ts"

/** Until the connection is tried again. */
const PAUSE = "500 millis"

const listen = Effect.fnUntraced(function* (config: PgConnection.Config, reads: CachedReads) {
  const connection = yield* PgConnection.make(config)
  const notices = yield* connection.listen(CHANGES_CHANNEL)
  reads.hear(true)
  while (true) {
    const { payload } = yield* Queue.take(notices)
    reads.forget(payload === EVERYTHING ? "everything" : payload.split(" "))
  }
}, Effect.scoped)

/** Drops what other processes change. While they are not heard, nothing is kept. */
export const followChanges = (config: PgConnection.Config, reads: CachedReads) =>
  listen(config, reads).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.sync(() => reads.hear(false)),
        Effect.logDebug("Changes of other processes are not heard for a moment.", cause),
      ),
    ),
    Effect.andThen(Effect.sleep(PAUSE)),
    Effect.forever,
  )
