import { Clock, Effect } from "effect"
import { letGo } from "../accounts/Holding.ts"
import { Store } from "../ports/Store.ts"
import { KEPT_AFTER_DELETION } from "./ManifestMachine.ts"
import type { ServiceManifest } from "./ServiceManifest.ts"

/**
 * Removes a deleted manifest whose time is over; a worker calls it with the claimed record. A
 * record that has changed or was removed meanwhile is left alone.
 */
export const purgeService = Effect.fn("purgeService")(function* (manifest: ServiceManifest) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  if (manifest.status !== "deleted" || manifest.deleted_at === null) return
  if (now < manifest.deleted_at + KEPT_AFTER_DELETION) return
  yield* store
    .commit({
      writes: [{ op: "remove", kind: "service", record: manifest }],
      reservations: [letGo(manifest.account_id, "services")],
    })
    .pipe(Effect.catchTag("Conflict", () => Effect.void))
})
