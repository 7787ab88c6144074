import { Clock, Effect } from "effect"
import { Store } from "../../ports/Store.ts"
import { isId } from "../../shared/Id.ts"
import { badCursor } from "../../shared/Page.ts"
import { KYC_LEVELS } from "../../channels/Channel.ts"
import {
  APPEAL_STATUSES,
  type ListAppealsQuery,
  type ListVerificationsQuery,
  VERIFICATION_STATUSES,
} from "./ReviewQuery.ts"
import { verificationSummary } from "../verifications/VerificationView.ts"
import { appealView } from "./AppealView.ts"

/**
 * Verifications of all accounts, newest first, for whoever reviews them: with the account, and
 * without what it submitted. Fails with `INVALID_QUERY` where `starting_after` names
 * none.
 */
export const listVerifications = Effect.fn("listVerifications")(function* (
  query: ListVerificationsQuery,
) {
  const store = yield* Store
  const { level, limit, starting_after, status, ...rest } = query
  if (starting_after !== undefined) {
    const known = isId("kyc", starting_after)
      ? yield* store.find("verification", starting_after)
      : undefined
    if (known === undefined) return yield* badCursor("verification")
  }
  const found = yield* store.reviewVerifications({
    ...rest,
    statuses: status === undefined ? VERIFICATION_STATUSES : [status],
    levels: level === undefined ? KYC_LEVELS : [level],
    limit: limit + 1,
    ...(starting_after !== undefined && { starting_after }),
  })
  const at = yield* Clock.currentTimeMillis
  const data = found.slice(0, limit).map((verification) => ({
    account_id: verification.account_id,
    ...verificationSummary(verification, at),
  }))
  return { data, has_more: found.length > limit }
})

/**
 * Appeals of all accounts, newest first, for whoever reviews them. Fails with `INVALID_QUERY` where
 * `starting_after` names none.
 */
export const listAppeals = Effect.fn("listAppeals")(function* (query: ListAppealsQuery) {
  const store = yield* Store
  const { limit, starting_after, status, ...rest } = query
  if (starting_after !== undefined) {
    const known = isId("appl", starting_after)
      ? yield* store.find("appeal", starting_after)
      : undefined
    if (known === undefined) return yield* badCursor("appeal")
  }
  const found = yield* store.reviewAppeals({
    ...rest,
    statuses: status === undefined ? APPEAL_STATUSES : [status],
    limit: limit + 1,
    ...(starting_after !== undefined && { starting_after }),
  })
  const data = found
    .slice(0, limit)
    .map((appeal) => ({ account_id: appeal.account_id, ...appealView(appeal) }))
  return { data, has_more: found.length > limit }
})
