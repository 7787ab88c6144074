import type { VerificationQuery } from "../../kyc/reviews/ReviewQuery.ts"
import type { Verification } from "../../kyc/verifications/Verification.ts"
import type { Read } from "./Read.ts"

/** Who agents act for, and what of it was verified (KYC/KYB). */
export interface IdentityReads {
  readonly listVerifications: (query: VerificationQuery) => Read<ReadonlyArray<Verification>>
}
