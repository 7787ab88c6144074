import type { Agent } from "../../kyc/agents/Agent.ts"
import type { Allowance } from "../../kyc/codes/Allowance.ts"
import type { Appeal } from "../../kyc/reviews/Appeal.ts"
import type { VerificationQuery } from "../../kyc/reviews/ReviewQuery.ts"
import type { Verification } from "../../kyc/verifications/Verification.ts"
import type { Read } from "./Read.ts"

/** Who agents act for, and what of it was verified (KYC/KYB). */
export interface IdentityReads {
  /** By the id of its record, see `agentRecordId`. */
  readonly findAgent: (id: string) => Read<Agent | undefined>
  readonly findVerification: (id: string) => Read<Verification | undefined>
  readonly listVerifications: (query: VerificationQuery) => Read<ReadonlyArray<Verification>>
  readonly findAppeal: (id: string) => Read<Appeal | undefined>
  readonly findAllowance: (id: string) => Read<Allowance | undefined>
}
