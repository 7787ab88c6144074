import { Clock, Effect } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import { merge } from "../commits/Commit.ts"
import type { Caller } from "../accounts/Account.ts"
import { letGo } from "../accounts/Holding.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { Failure } from "../shared/Failure.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { closedTab, tabId } from "../invoices/tabs.ts"
import { installId } from "./consent.ts"
import { withdraw } from "./putInstall.ts"
import { ownInstall } from "./showInstalls.ts"

/**
 * Removes an install of the caller's account. The same commit ends its mandate, which a worker
 * tells the channel, and closes its tab, whose use so far is billed. What was spent still counts
 * towards the cap if the service is installed again.
 */
export const deleteInstall = Effect.fn("deleteInstall")(function* (caller: Caller, id: string) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const record = yield* ownInstall(caller, id)
      const at = yield* Clock.currentTimeMillis
      const mandate = record.mandate ? yield* store.find("mandate", record.mandate.id) : undefined
      const tab = yield* closedTab(yield* tabId(record), at)
      const { agent_id, service_id } = record
      const entry = yield* logged(byKey(caller), "install.deleted", id, { agent_id, service_id })
      yield* store.commit(
        merge(tab, {
          writes: [{ op: "remove", kind: "install", record }, ...withdraw(mandate, at), entry],
          reservations: [letGo(record.account_id, "installs")],
        }),
      )
      return { id, deleted: true } as const
    }),
  )
})

/**
 * Removes an install by its service and its agent; by default the account's own agent.
 *
 * Fails with `NOT_FOUND` where there is none. `details.id` is the id that it has or had, so that a
 * client whose answer was lost can tell what is gone.
 */
export const uninstall = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  agentId: string = caller.account.agent_id,
) {
  const { sha256 } = yield* Vault
  const id = installId(caller.account.id, agentId, serviceId, sha256)
  return yield* deleteInstall(caller, id).pipe(
    catchFailure(["NOT_FOUND"], ({ message }) =>
      Effect.fail(new Failure({ code: "NOT_FOUND", message, details: { id } })),
    ),
  )
})
