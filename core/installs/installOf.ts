import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { installId } from "./Install.ts"

/** An account's agent's install of a service; undefined where it has none. */
export const installOf = Effect.fnUntraced(function* (
  accountId: string,
  agentId: string,
  serviceId: string,
) {
  const { sha256 } = yield* Vault
  return yield* (yield* Store).find("install", installId(accountId, agentId, serviceId, sha256))
})
