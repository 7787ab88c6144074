import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { isPublic } from "./ServiceManifest.ts"
import { manifestView } from "./ServiceView.ts"

/**
 * The stored service of that id: any of the caller's own, and what is active or deprecated of
 * others. Everything else is `NOT_FOUND`.
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

/** A service by its id as its viewer may see it: without its endpoint unless it is their own. */
export const getService = Effect.fn("getService")(function* (caller: Caller, id: string) {
  return manifestView(yield* findOwnOrPublic(caller, id), caller.account.id)
})
