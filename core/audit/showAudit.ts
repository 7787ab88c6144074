import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { isId } from "../shared/Id.ts"
import { badCursor } from "../shared/Page.ts"
import { auditView, brokenAt, NO_ENTRY } from "./AuditEntry.ts"
import type { ListAuditQuery } from "./AuditQuery.ts"

/** How many entries are read and hashed at a time. */
const BATCH = 500

/** Verifies the chain from its beginning to its current head. */
const verifyChain = Effect.fnUntraced(function* () {
  const store = yield* Store
  const vault = yield* Vault
  const head = yield* store.auditHead()
  let before = NO_ENTRY
  while (before.sequence < head.sequence) {
    const entries = yield* store.readAudit({
      after: before.sequence,
      limit: Math.min(BATCH, head.sequence - before.sequence),
    })
    const broken = brokenAt(entries, before, vault)
    const last = entries.at(-1)
    // If the head is beyond the last entry, the end was cut off.
    const missing = last === undefined ? before.sequence + 1 : undefined
    if (last === undefined || broken !== undefined) {
      return { ...head, whole: false, broken_at: broken ?? missing ?? head.sequence }
    }
    before = last
  }
  const { hash, sequence } = head
  return before.hash === hash
    ? { sequence, hash, whole: true }
    : { sequence, hash, whole: false, broken_at: sequence }
})

/**
 * Lists the audit log, newest first. `after` leaves out entries up to that sequence. With `verify`,
 * the response also tells whether every entry of the chain follows from the previous one.
 *
 * Fails with `INVALID_QUERY` where `starting_after` names no entry.
 */
export const listAudit = Effect.fn("listAudit")(function* ({
  limit,
  verify,
  ...query
}: ListAuditQuery) {
  const store = yield* Store
  const { starting_after, ...filters } = query
  let before: number | undefined
  if (starting_after !== undefined) {
    const found = isId("aud", starting_after)
      ? yield* store.findAuditEntry(starting_after)
      : undefined
    if (found === undefined) return yield* badCursor("audit entry")
    before = found.sequence
  }
  const chain = verify === "true" ? yield* verifyChain() : undefined
  const entries = yield* store.listAudit({
    ...filters,
    limit: limit + 1,
    ...(before !== undefined && { before }),
  })
  return {
    data: entries.slice(0, limit).map(auditView),
    has_more: entries.length > limit,
    ...(chain !== undefined && { chain }),
  }
})
