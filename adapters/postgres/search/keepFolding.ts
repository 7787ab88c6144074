import { Effect, Latch, type Scope } from "effect"
import { type Database, inRealTime } from "../database.ts"
import { foldSearch } from "./foldSearch.ts"

/** How often a process checks whether there is enough for a block. */
const PAUSE = "15 seconds"

/** The shortest pause after a search that was too slow. */
const BREATH = "1 second"

/** Keeps the search index up to date while the scope is open. `wake` starts a check soon. */
export const keepFolding: (
  database: Database,
) => Effect.Effect<{ readonly wake: () => void }, never, Scope.Scope> = Effect.fnUntraced(
  function* (database) {
    const wanted = Latch.makeUnsafe(false)
    const round = Effect.gen(function* () {
      yield* Effect.timeoutOption(wanted.await, PAUSE)
      yield* foldSearch(database).pipe(
        Effect.catchCause((cause) =>
          Effect.logDebug("The index of searches could not be brought up to date.", cause),
        ),
      )
      wanted.closeUnsafe()
      yield* Effect.sleep(BREATH)
    })
    yield* Effect.forkScoped(inRealTime(Effect.forever(round)))
    return { wake: () => wanted.openUnsafe() }
  },
)
