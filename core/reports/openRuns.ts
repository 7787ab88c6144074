import { Clock, Effect } from "effect"
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

/**
 * Opens today's run of every channel of the installation. Each run opens the next day's, so a
 * worker calls this once when it starts.
 */
export const openRuns = Effect.fn("openRuns")(function* () {
  const { catalog } = yield* Installation
  const today = utcDay(yield* Clock.currentTimeMillis)
  yield* Effect.forEach(catalog, ({ id }) => openRun(id, today), { discard: true })
})
