import { Effect } from "effect"
import { Store, type Write } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Install } from "./Install.ts"
import { installId } from "./consent.ts"
import { merged } from "./InstallRules.ts"

/**
 * Returns the writes that install a service for an agent without automatic payments and without a
 * cap. Empty where the agent has installed it already, with any settings.
 */
export const plainInstall = Effect.fnUntraced(function* (
  named: Pick<Install, "account_id" | "agent_id" | "service_id">,
  now: Timestamp,
) {
  const { account_id, agent_id, service_id } = named
  const id = installId(account_id, agent_id, service_id, (yield* Vault).sha256)
  if ((yield* (yield* Store).find("install", id)) !== undefined) return []
  const record: Install = {
    ...merged(undefined, {}),
    ...named,
    id,
    version: 1,
    spend_cap_in_force: null,
    mandate: null,
    created_at: now,
    updated_at: now,
  }
  return [{ op: "insert", kind: "install", record }] satisfies ReadonlyArray<Write>
})
