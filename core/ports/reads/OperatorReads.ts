import type { Account } from "../../accounts/Account.ts"
import type { AccountQuery } from "../../accounts/AccountQuery.ts"
import type { AuditEntry, AuditHead } from "../../audit/AuditEntry.ts"
import type { AuditQuery } from "../../audit/AuditQuery.ts"
import type { Appeal } from "../../kyc/reviews/Appeal.ts"
import type { AppealReviewQuery, VerificationReviewQuery } from "../../kyc/reviews/ReviewQuery.ts"
import type { Verification } from "../../kyc/verifications/Verification.ts"
import type { Read } from "./Read.ts"

/** What only operators ask a store: of all accounts, newest first, and of their own log. */
export interface OperatorReads {
  readonly listAccounts: (query: AccountQuery) => Read<ReadonlyArray<Account>>
  readonly reviewVerifications: (
    query: VerificationReviewQuery,
  ) => Read<ReadonlyArray<Verification>>
  readonly reviewAppeals: (query: AppealReviewQuery) => Read<ReadonlyArray<Appeal>>
  readonly findAuditEntry: (id: string) => Read<AuditEntry | undefined>
  readonly listAudit: (query: AuditQuery) => Read<ReadonlyArray<AuditEntry>>
  /** The log from behind the place `after` on, oldest first. */
  readonly readAudit: (query: {
    readonly after: number
    readonly limit: number
  }) => Read<ReadonlyArray<AuditEntry>>
  /** Where the log ends. */
  readonly auditHead: () => Read<AuditHead>
}
