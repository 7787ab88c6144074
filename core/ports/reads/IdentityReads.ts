import type { Agent } from "../../kyc/Agent.ts"
import type { Allowance } from "../../kyc/Allowance.ts"
import type { Appeal } from "../../kyc/Appeal.ts"
import type { VerificationQuery } from "../../kyc/ReviewQuery.ts"
import type { Verification } from "../../kyc/Verification.ts"
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
