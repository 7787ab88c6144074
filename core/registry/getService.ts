import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { isPublic, manifestView } from "./ServiceManifest.ts"

/**
 * A service by its id: any of the caller's own, and what is active or deprecated of others, without
 * its endpoint. Everything else is `NOT_FOUND`.
 */
export const getService = Effect.fn("getService")(function* (caller: Caller, id: string) {
  const store = yield* Store
  const viewer = caller.account.id
  const manifest = isUuid(id) ? yield* store.findService(id) : undefined
  if (manifest === undefined || (manifest.account_id !== viewer && !isPublic(manifest))) {
    return yield* notFound("service", id)
  }
  return manifestView(manifest, viewer)
})
