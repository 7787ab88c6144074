import { Clock, Effect, Schema } from "effect"
import { Documents } from "../ports/Documents.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { utcDay } from "../shared/Timestamp.ts"
import type { ListHeadsQuery } from "./AuditQuery.ts"
import { SignedHead, signedHead } from "./SignedHead.ts"

/** The scope of the documents of heads, one for each UTC day. */
const SCOPE = "audit-heads"

const decode = Schema.decodeUnknownEffect(SignedHead)

/**
 * Signs the head of the audit log, once a UTC day over all processes. Returns whether this call
 * did. The head of an empty log is signed too, as proof that it was empty.
 */
export const publishHead = Effect.fn("publishHead")(function* () {
  const documents = yield* Documents
  const now = yield* Clock.currentTimeMillis
  const id = utcDay(now)
  if ((yield* documents.get(SCOPE, id)) !== undefined) return false
  const body = signedHead(yield* (yield* Store).auditHead(), now, yield* Vault)
  return yield* documents.put({ scope: SCOPE, id, version: 0, body, due_at: null }).pipe(
    Effect.as(true),
    Effect.catchTag("Conflict", () => Effect.succeed(false)),
  )
})

/** Finds the signed head of a day; undefined if there is none. An invalid document is a defect. */
export const findHead = Effect.fnUntraced(function* (day: string) {
  const found = yield* (yield* Documents).get(SCOPE, day)
  return found === undefined ? undefined : yield* Effect.orDie(decode(found.body))
})

/**
 * Returns the signed heads of the days after `after`, oldest first. An invalid document is a
 * defect.
 */
export const headsAfter = Effect.fnUntraced(function* (after: string, limit: number) {
  const documents = yield* Documents
  const found = yield* documents.page(SCOPE, { prefix: "", after, limit })
  return yield* Effect.forEach(found, ({ body }) => Effect.orDie(decode(body)))
})

/** Lists the signed heads of the days after `after`, oldest first. */
export const listHeads = Effect.fn("listHeads")(function* ({ after, limit }: ListHeadsQuery) {
  const heads = yield* headsAfter(after ?? "", limit + 1)
  return { data: heads.slice(0, limit), has_more: heads.length > limit }
})
