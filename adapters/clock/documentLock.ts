import { type Clock, Duration, Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { Documents } from "../../core/ports/Documents.ts"
import type { StoreUnavailable } from "../../core/ports/Store.ts"

const SCOPE = "sandbox"
const ID = "clock_mover"

/** Real milliseconds without a renewal after which a lock is free. */
const LEASE = 10_000
const RENEW = Duration.millis(3_000)
const ASK = Duration.millis(50)

const decodeHolder = Schema.decodeUnknownEffect(
  Schema.Struct({ holder: Schema.String, until: Schema.Finite }),
)

/**
 * Returns a lock in a document: of all processes on a database one runs its effect at a time, and
 * the others wait. The lock of a dead process is free after ten seconds.
 */
export const documentLock = (documents: Documents["Service"], system: Clock.Clock) => {
  const read = Effect.gen(function* () {
    const found = yield* documents.get(SCOPE, ID)
    if (found === undefined) return { version: 0, holder: "", until: -Infinity }
    return { version: found.version, ...(yield* Effect.orDie(decodeHolder(found.body))) }
  })

  /** Takes or renews the lock. Returns false while another process holds it. */
  const hold = Effect.fnUntraced(
    function* (holder: string) {
      const now = system.currentTimeMillisUnsafe()
      const stored = yield* read
      if (stored.holder !== holder && stored.until > now) return false
      const { version } = stored
      const body = { holder, until: now + LEASE }
      yield* documents.put({ scope: SCOPE, id: ID, version, body, due_at: null })
      return true
    },
    Effect.catchTag("Conflict", () => Effect.succeed(false)),
  )

  const giveBack = Effect.fnUntraced(
    function* (holder: string) {
      if ((yield* read).holder === holder) yield* documents.remove(SCOPE, [ID])
    },
    (leaving) => Effect.ignore(leaving),
  )

  const enter = (holder: string): Effect.Effect<void, StoreUnavailable> =>
    Effect.flatMap(hold(holder), (held) =>
      held ? Effect.void : Effect.andThen(system.sleep(ASK), enter(holder)),
    )

  const renew = (holder: string) =>
    system.sleep(RENEW).pipe(Effect.andThen(Effect.ignore(hold(holder))), Effect.forever)

  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> =>
    Effect.suspend(() => {
      const holder = randomUUID()
      let held = false
      const entered = Effect.map(enter(holder), () => {
        held = true
      })
      const leave = Effect.suspend(() => (held ? giveBack(holder) : Effect.void))
      return entered.pipe(
        Effect.andThen(Effect.raceFirst(self, renew(holder))),
        Effect.ensuring(leave),
      )
    })
}
