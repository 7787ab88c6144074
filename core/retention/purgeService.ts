import { Clock, Effect } from "effect"
import { letGo } from "../accounts/Holding.ts"
import { closeTabs } from "../invoices/closeTabs.ts"
import { Store } from "../ports/Store.ts"
import { KEPT_AFTER_DELETION } from "../registry/ManifestMachine.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { neededUntil } from "./neededUntil.ts"

const purge = Effect.fnUntraced(function* (manifest: ServiceManifest) {
  const { account_id, deleted_at, due_at, status } = manifest
  const now = yield* Clock.currentTimeMillis
  if (status !== "deleted" || deleted_at === null || due_at === null || now < due_at) return
  const store = yield* Store
  yield* closeTabs(manifest.id, now)
  const kept = deleted_at + KEPT_AFTER_DELETION
  const until = now < kept ? kept : yield* neededUntil(manifest, now)
  yield* until === undefined
    ? store.commit({
        writes: [{ op: "remove", kind: "service", record: manifest }],
        reservations: [letGo(account_id, "services")],
      })
    : store.commit({
        writes: [{ op: "replace", kind: "service", record: { ...manifest, due_at: until } }],
      })
})

/**
 * Looks after a deleted manifest: closes the open tabs of its service, and removes it once its time
 * is over and nothing needs it any more. A worker calls it with the claimed record. A record that
 * has changed or was removed meanwhile is left alone.
 */
export const purgeService = Effect.fn("purgeService")((manifest: ServiceManifest) =>
  purge(manifest).pipe(Effect.catchTag("Conflict", () => Effect.void)),
)
