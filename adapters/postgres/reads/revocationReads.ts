import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { accessItems } from "../tables/accessItems.ts"
import { revocations } from "../tables/revocations.ts"
import { bareId } from "../tables/codecs.ts"
import { firstOf } from "./rows.ts"

type Reads = Pick<
  Store["Service"],
  | "findAccessItem"
  | "isOthersAccessItem"
  | "listAccessItems"
  | "listRevocations"
  | "listRevocationsOf"
  | "isAllRevoked"
>

/** The statements of these questions. */
export const REVOCATION_SQL = {
  accessItem: `SELECT ${accessItems.selection} FROM access_items
    WHERE item_key = $2 AND account_id = $1::uuid`,
  othersItem: `SELECT id FROM access_items
    WHERE item_key = $2 AND account_id <> $1::uuid AND payment_intent IS NOT NULL LIMIT 1`,
  accessItems: `SELECT ${accessItems.selection} FROM access_items
    WHERE payment_intent = $1::uuid ORDER BY id`,
  revocations: `SELECT ${revocations.selection} FROM revocations
    WHERE refund = $1::uuid ORDER BY position`,
  revocationsOf: `SELECT ${revocations.selection} FROM revocations
    WHERE refund = ANY ($1::uuid[])`,
  allRevoked: `SELECT id FROM revocations
    WHERE payment_intent = $1::uuid AND scope = 'all' AND status <> 'failed' LIMIT 1`,
}

/** Questions about what payments bought and what was revoked of it. */
export const revocationReads = ({ reads, work }: Database): Reads => ({
  findAccessItem: (accountId, itemKey) =>
    !isId("acct", accountId)
      ? Effect.succeed(undefined)
      : Effect.map(
          ask(reads, REVOCATION_SQL.accessItem, [bareId("acct", accountId), itemKey]),
          firstOf(accessItems),
        ),
  isOthersAccessItem: (accountId, itemKey) =>
    !isId("acct", accountId)
      ? Effect.succeed(false)
      : Effect.map(
          ask(reads, REVOCATION_SQL.othersItem, [bareId("acct", accountId), itemKey]),
          (rows) => rows.length > 0,
        ),
  listAccessItems: (intentId) =>
    !isId("pi", intentId)
      ? Effect.succeed([])
      : Effect.map(ask(reads, REVOCATION_SQL.accessItems, [bareId("pi", intentId)]), (rows) =>
          rows.map((row) => accessItems.fromRow(row)),
        ),
  listRevocations: (refundId) =>
    !isId("ref", refundId)
      ? Effect.succeed([])
      : Effect.map(ask(reads, REVOCATION_SQL.revocations, [bareId("ref", refundId)]), (rows) =>
          rows.map((row) => revocations.fromRow(row)),
        ),
  listRevocationsOf: (refundIds) => {
    const bare = refundIds.filter((id) => isId("ref", id)).map((id) => bareId("ref", id))
    if (bare.length === 0) return Effect.succeed([])
    return Effect.map(ask(work, REVOCATION_SQL.revocationsOf, [`{${bare.join()}}`]), (rows) =>
      rows.map((row) => revocations.fromRow(row)),
    )
  },
  isAllRevoked: (intentId) =>
    !isId("pi", intentId)
      ? Effect.succeed(false)
      : Effect.map(
          ask(reads, REVOCATION_SQL.allRevoked, [bareId("pi", intentId)]),
          (rows) => rows.length > 0,
        ),
})
