import { Effect, Latch, type Scope } from "effect"
import { type Database, inRealTime } from "../database.ts"
import { foldSearch } from "./foldSearch.ts"

/** How often a process looks whether there is enough to make blocks of. */
const PAUSE = "15 seconds"

/** So soon after a search was too slow, at the least. */
const BREATH = "1 second"

/** Keeps the index of searches up to date while the scope is open; `wake` has it looked at soon. */
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
