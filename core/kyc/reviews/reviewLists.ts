import { Clock, Effect } from "effect"
import { readPage } from "../../shared/ownRecords.ts"
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
 * Lists verifications of all accounts for reviewers, newest first, with the account and without
 * submitted data. Fails with `INVALID_QUERY` where `starting_after` names no verification.
 */
export const listVerifications = Effect.fn("listVerifications")(function* (
  query: ListVerificationsQuery,
) {
  const { account_id, level = KYC_LEVELS, status = VERIFICATION_STATUSES } = query
  const page = yield* readPage("verification", { account_id, level, status }, query, "verification")
  const at = yield* Clock.currentTimeMillis
  const data = page.data.map((verification) => ({
    account_id: verification.account_id,
    ...verificationSummary(verification, at),
  }))
  return { ...page, data }
})

/**
 * Lists appeals of all accounts for reviewers, newest first. Fails with `INVALID_QUERY` where
 * `starting_after` names no appeal.
 */
export const listAppeals = Effect.fn("listAppeals")(function* (query: ListAppealsQuery) {
  const { account_id, status = APPEAL_STATUSES } = query
  const page = yield* readPage("appeal", { account_id, status }, query, "appeal")
  const data = page.data.map((appeal) => ({ account_id: appeal.account_id, ...appealView(appeal) }))
  return { ...page, data }
})
