import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { isPublic } from "./ServiceManifest.ts"
import { manifestView } from "./ServiceView.ts"

/**
 * Finds a service by its id: any of the caller's own, and active or deprecated ones of others.
 * Fails with `NOT_FOUND` for any other.
 */
export const findOwnOrPublic = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const store = yield* Store
  const manifest = isUuid(id) ? yield* store.find("service", id) : undefined
  if (
    manifest === undefined ||
    (manifest.account_id !== caller.account.id && !isPublic(manifest))
  ) {
    return yield* notFound("service", id)
  }
  return manifest
})

/** Shows a service by its id, without its endpoint unless the viewer owns it. */
export const getService = Effect.fn("getService")(function* (caller: Caller, id: string) {
  return manifestView(yield* findOwnOrPublic(caller, id), caller.account.id)
})
