import { Cause, Clock, Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { HOUR, SECOND, utcDay } from "../shared/Timestamp.ts"
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

/** Returns whether nothing but the store's absence has failed, which passes. */
const isOutage = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.every(({ _tag }) => _tag === "Fail")

/** The pauses before the next attempt, in milliseconds: the first one, and the longest. */
const SHORTEST = SECOND
const LONGEST = HOUR

/**
 * Opens today's run of every channel of the installation. Each run opens the next day's, so a
 * worker calls this once when it starts, beside its other work. It tries until it has succeeded:
 * every second during an outage of the store, and more and more rarely, up to hourly, after a
 * defect.
 */
export const openRuns = Effect.fn("openRuns")(function* () {
  let pause = SHORTEST
  while (true) {
    const { cause } = yield* Effect.as(openToday(), { cause: undefined }).pipe(
      Effect.catchCause((failed) => Effect.succeed({ cause: failed })),
    )
    if (cause === undefined) return
    if (Cause.hasInterrupts(cause)) return yield* Effect.failCause(cause)
    if (isOutage(cause)) {
      pause = SHORTEST
      yield* Effect.logWarning("Today's reconciliation is opened later.", cause)
    } else {
      yield* Effect.logError("Today's reconciliation cannot be opened and is tried again.", cause)
    }
    yield* Effect.sleep(pause)
    pause = Math.min(2 * pause, LONGEST)
  }
})
