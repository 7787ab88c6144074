import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { readOwn, readPage } from "../shared/ownRecords.ts"
import type { Install } from "./Install.ts"
import type { ListInstallsQuery } from "./InstallInput.ts"
import { view } from "./InstallView.ts"

/** Finds an install of the caller's account. An install of another account is not found. */
export const ownInstall = ({ account }: Caller, id: string) =>
  readOwn("install", account.id, id, "install")

/** Shows an install, with the approval URL of a pending mandate. */
export const showInstall = Effect.fnUntraced(function* (install: Install) {
  const { mandate } = install
  if (mandate?.status !== "pending") return view(install, null)
  const pending = yield* (yield* Store).find("mandate", mandate.id)
  return view(install, pending?.approval_url ?? null)
})

/** Shows an install by its id. */
export const getInstall = Effect.fn("getInstall")(function* (caller: Caller, id: string) {
  return yield* showInstall(yield* ownInstall(caller, id))
})

/**
 * Lists the installs of the caller's agents, or those of one service, a page at a time.
 *
 * Fails with `INVALID_QUERY` where `starting_after` names none of them.
 */
export const listInstalls = Effect.fn("listInstalls")(function* (
  { account }: Caller,
  query: ListInstallsQuery,
) {
  const { service_id } = query
  const by = { account_id: account.id, service_id }
  const page = yield* readPage("install", by, query, "install")
  return { ...page, data: yield* Effect.forEach(page.data, showInstall) }
})
