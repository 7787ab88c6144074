import { Clock, Effect } from "effect"
import { catchConflict } from "../commits/catchConflict.ts"
import { type Commit, merge } from "../commits/Commit.ts"
import { Store, type Write } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type ApiKey, isValid } from "./ApiKey.ts"
import { hold, type Holder, isFull, letGo, tooMany } from "./Holding.ts"
import { issuersOfWorking, passedOn } from "./KeyRules.ts"
import { withinPlan } from "./withinPlan.ts"

const endOf = ({ expires_at, revoked_at }: ApiKey): Timestamp =>
  Math.min(expires_at ?? Infinity, revoked_at ?? Infinity)

/**
 * Stores another key of the account. Where the plan allows no more, the same commit removes the key
 * that ended first, so that revoked keys do not take up the limit forever. A key that has issued a
 * working key is not removed.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` where no key can be removed.
 */
export const storeKey = Effect.fnUntraced(function* (account: Holder, commit: Commit) {
  const store = yield* Store
  const added = merge(commit, { reservations: [hold(account, "api_keys")] })
  const instead = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const keys = yield* store.list("api_key", { by: { account_id: account.id } })
    const works = (key: ApiKey) => isValid(key, now)
    // Revoking a key finds the keys to revoke through their issuers.
    const needed = issuersOfWorking(keys, works)
    const [record] = keys
      .filter((key) => !works(key) && !needed.has(key.id))
      .toSorted((a, b) => endOf(a) - endOf(b))
    if (record === undefined) return yield* tooMany(account, "api_keys")
    const gone: Commit = {
      writes: [
        { op: "remove", kind: "api_key", record },
        ...passedOn(keys, record).map((key): Write => ({
          op: "replace",
          kind: "api_key",
          record: key,
        })),
      ],
      reservations: [letGo(account.id, "api_keys")],
    }
    yield* store.commit(merge(gone, added)).pipe(withinPlan(account, "api_keys"))
  })
  yield* store.commit(added).pipe(catchConflict(isFull(account.id, "api_keys"), () => instead))
})
