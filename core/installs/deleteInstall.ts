import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { installId } from "./Install.ts"
import { withdraw } from "./putInstall.ts"
import { ownInstall } from "./showInstalls.ts"

/**
 * Removes an install of the caller's account. Its mandate has ended with that, and the channel is
 * told; what was spent still counts when the service is installed again. Fails with `NOT_FOUND`.
 */
export const deleteInstall = Effect.fn("deleteInstall")(function* (caller: Caller, id: string) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const record = yield* ownInstall(caller, id)
      const at = yield* Clock.currentTimeMillis
      const mandate = record.mandate ? yield* store.findMandate(record.mandate.id) : undefined
      yield* store.commit({
        writes: [{ op: "remove", kind: "install", record }, ...withdraw(mandate, at)],
      })
      return { id, deleted: true } as const
    }),
  )
})

/** The same by the service and the agent, the account's own where none is named. */
export const uninstall = Effect.fnUntraced(function* (
  caller: Caller,
  serviceId: string,
  agentId: string = caller.account.agent_id,
) {
  const { sha256 } = yield* Vault
  return yield* deleteInstall(caller, installId(caller.account.id, agentId, serviceId, sha256))
})
