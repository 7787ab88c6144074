import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { ALL } from "../../core/registry/RevocationScope.ts"
import type { State } from "./State.ts"

type Reads = Pick<
  Store["Service"],
  | "findAccessItem"
  | "isOthersAccessItem"
  | "listAccessItems"
  | "listRevocations"
  | "listRevocationsOf"
  | "isAllRevoked"
>

/** Questions about what payments bought and what was revoked of it. */
export const revocationReads = ({ tables }: State): Reads => ({
  findAccessItem: (accountId, itemKey) =>
    Effect.sync(() => tables.access_item.named(`${accountId} ${itemKey}`)),
  isOthersAccessItem: (accountId, itemKey) =>
    Effect.sync(() =>
      [...tables.access_item.listed(itemKey)].some(({ account_id }) => account_id !== accountId),
    ),
  listAccessItems: (intentId) =>
    Effect.sync(() => [...tables.access_item.listed(intentId)].toReversed()),
  listRevocations: (refundId) =>
    Effect.sync(() =>
      [...tables.revocation.listed(refundId)].toSorted((a, b) => a.position - b.position),
    ),
  listRevocationsOf: (refundIds) =>
    Effect.sync(() => refundIds.flatMap((refundId) => [...tables.revocation.listed(refundId)])),
  isAllRevoked: (intentId) =>
    Effect.sync(() =>
      [...tables.revocation.listed(intentId)].some(
        ({ scope, status }) => scope === ALL && status !== "failed",
      ),
    ),
})
