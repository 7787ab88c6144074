import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Vault } from "../ports/Vault.ts"
import {
  type AuditAct,
  type AuditAction,
  type AuditDetails,
  type AuditNote,
  chained,
} from "./AuditEntry.ts"
import { CurrentOperator } from "./CurrentOperator.ts"

/**
 * Returns the commit part that records an operator's action in the audit log, in the commit of its
 * effect. Empty for calls without an operator, such as for the accounts of a new sandbox.
 */
export const audited = Effect.fnUntraced(function* (
  action: AuditAction,
  target: string,
  details: AuditDetails = {},
) {
  const operator = yield* CurrentOperator
  if (operator === null) return {}
  const vault = yield* Vault
  const note: AuditNote = {
    id: `aud_${(yield* Ids).uuid()}`,
    at: yield* Clock.currentTimeMillis,
    actor: operator.actor,
    request_id: operator.request_id,
    action,
    target,
    details,
  }
  const audit: AuditAct = (head) => chained(note, head, vault)
  return { audit }
})
