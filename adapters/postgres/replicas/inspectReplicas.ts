import { Effect, Result } from "effect"
import { configOf, ownSessions, replicaSessions, type SessionSource } from "../access.ts"
import type { ConnectionSettings } from "../ConnectionSettings.ts"
import { inRealTime } from "../database.ts"
import { placeOf, unusable } from "../DatabaseUnusable.ts"
import { IDENTITY_SQL } from "./Replica.ts"

/** The result of a look at a replica. `problem` says why it cannot be read at all. */
export interface ReplicaFound {
  readonly replica: string
  readonly found: "follows" | "promoted" | "other_database" | { readonly problem: string }
}

const look = Effect.fnUntraced(function* ({ connect }: SessionSource) {
  const { query } = yield* connect
  const { rows } = yield* query(`SELECT pg_is_in_recovery() AS follows, ${IDENTITY_SQL}`, [], false)
  return { follows: rows[0]?.["follows"] === true, identity: rows[0]?.["identity"] }
}, Effect.scoped)

/** Looks at each replica of the settings. Fails if the primary cannot be read. */
export const inspectReplicas = (settings: ConnectionSettings) =>
  Effect.gen(function* () {
    const config = yield* configOf(settings)
    const primary = yield* look(ownSessions(config, settings))
    return yield* Effect.forEach(
      settings.replicas?.servers ?? [],
      Effect.fnUntraced(function* (server) {
        const seen = yield* replicaSessions(server, config.schema).pipe(
          Effect.flatMap(look),
          Effect.catchTag("SqlError", (error) => unusable(server)(error)),
          Effect.result,
        )
        const replica = placeOf(server).replace(/^at /, "")
        if (Result.isFailure(seen)) return { replica, found: { problem: seen.failure.message } }
        const { follows, identity } = seen.success
        const isOther = identity !== primary.identity
        const found = isOther ? "other_database" : follows ? "follows" : "promoted"
        return { replica, found } satisfies ReplicaFound
      }),
      { concurrency: "unbounded" },
    )
  }).pipe(
    Effect.catchTag("SqlError", (error) => unusable(settings)(error)),
    Effect.map((found): ReadonlyArray<ReplicaFound> => found),
    inRealTime,
  )
