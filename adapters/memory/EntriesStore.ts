import { Context, Effect, Layer } from "effect"
import { Documents } from "../../core/ports/Documents.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { Store, StoreUnavailable } from "../../core/ports/Store.ts"
import { type BeforeCommit, HookFailed } from "../shared/BeforeCommit.ts"
import type { Entries } from "./Entries.ts"
import { flawOfEntries } from "./flawOfEntries.ts"
import { inEntries } from "./inEntries.ts"
import { makeDocuments } from "./MemoryDocuments.ts"
import { makeRateLeases } from "./MemoryRateLeases.ts"
import { makeStore, type MemoryTransaction } from "./MemoryStore.ts"
import { type Atomically, makeState } from "./State.ts"

/** Errors that mean a defect, of the program or of a hook. All others are the entries'. */
const isMistake = (error: unknown): boolean =>
  error instanceof RangeError || error instanceof TypeError || error instanceof HookFailed

const within =
  (entries: Entries): Atomically =>
  (body) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(entries.atomically(body))
      } catch (cause) {
        if (isMistake(cause)) return Effect.die(cause)
        return Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause }))
      }
    })

/**
 * A store in a host's entries, for one process: changes by other processes are not noticed. Its
 * rules are those of the store in memory. Each build opens its own entries, and fails if their
 * transactions are none.
 */
export const layer = (
  open: () => Entries,
  hook?: BeforeCommit<MemoryTransaction>,
): Layer.Layer<Store | Documents | RateLeases, { readonly message: string }> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const opened = Effect.try({
        try: open,
        catch: (cause) => new Error(`The store cannot be opened: ${String(cause)}`, { cause }),
      })
      const entries = yield* Effect.acquireRelease(opened, (held) => Effect.sync(held.close))
      const flaw = flawOfEntries(entries)
      if (flaw !== undefined) {
        return yield* Effect.fail(new Error(`The store cannot be opened: ${flaw}.`))
      }
      const [keeping, atomically] = [inEntries(entries), within(entries)]
      return Context.empty().pipe(
        Context.add(Store, makeStore(makeState(keeping), atomically, hook)),
        Context.add(Documents, makeDocuments(keeping, atomically)),
        Context.add(RateLeases, makeRateLeases(keeping, atomically)),
      )
    }),
  )
