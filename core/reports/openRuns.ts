import { Cause, Clock, Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { runOf } from "./ReconciliationRun.ts"

/** Opens a channel's run for a day, unless it exists. */
export const openRun = Effect.fnUntraced(function* (channel: string, day: string) {
  const store = yield* Store
  const record = runOf(channel, day, (yield* Vault).sha256)
  if ((yield* store.find("reconciliation_run", record.id)) !== undefined) return
  yield* store
    .commit({ writes: [{ op: "insert", kind: "reconciliation_run", record }] })
    .pipe(Effect.catchTag("Conflict", () => Effect.void))
})

const openToday = Effect.fnUntraced(function* () {
  const { catalog } = yield* Installation
  const today = utcDay(yield* Clock.currentTimeMillis)
  yield* Effect.forEach(catalog, ({ id }) => openRun(id, today), { discard: true })
})

/**
 * Opens today's run of every channel of the installation. Each run opens the next day's, so a
 * worker calls this once when it starts. It tries until it has succeeded, every second: an outage
 * of the store at that moment must not end the worker.
 */
export const openRuns = Effect.fn("openRuns")(function* () {
  let isOpen = false
  while (!isOpen) {
    isOpen = yield* Effect.as(openToday(), true).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.failCause(cause)
          : Effect.logWarning("Today's reconciliation is opened later.", cause).pipe(
              Effect.andThen(Effect.sleep("1 second")),
              Effect.as(false),
            ),
      ),
    )
  }
})
