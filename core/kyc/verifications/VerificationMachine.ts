import * as Machine from "../../shared/Machine.ts"
import { DAY, SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import type { KycLevel } from "../../channels/Channel.ts"
import type { Challenge } from "../codes/Otp.ts"
import type { VerificationCommon } from "./Verification.ts"

/** Why a verification was rejected (KYC verification, `rejection_reason`). */
export interface Rejection {
  readonly code: string
  readonly message: string
  readonly details: { readonly [field: string]: string }
}

/** The states of a verification with what is known in each (KYC verification states). */
export interface VerificationFacts {
  /** Before it is submitted: never stored. */
  unverified: object
  /**
   * `retry_at` is when the worker sends its code or asks the issuing authority again, `tries` how
   * often that has been done.
   */
  pending: { challenge: Challenge | null; tries: number; retry_at: Timestamp | null }
  /** `noticed` once its end has been announced; `expires_at` is null where it has none. */
  verified: { verified_at: Timestamp; expires_at: Timestamp | null; noticed: boolean }
  rejected: { rejection: Rejection; appeal_id: string | null }
  expired: { verified_at: Timestamp; expires_at: Timestamp | null }
}

/** What happens to a verification; `at` is the service's time. */
export type VerificationMove =
  | {
      readonly type: "submitted"
      readonly challenge: Challenge | null
      readonly retry_at: Timestamp | null
      readonly at: Timestamp
    }
  | { readonly type: "passed"; readonly level: KycLevel; readonly at: Timestamp }
  | { readonly type: "refused"; readonly rejection: Rejection; readonly at: Timestamp }
  | { readonly type: "ended"; readonly at: Timestamp }
  /** A newer verification of the level takes its place. */
  | { readonly type: "replaced"; readonly at: Timestamp }
  /** An appeal was right. */
  | { readonly type: "reopened"; readonly at: Timestamp }

/** What a move tells the world. */
export type VerificationEmit = "kyc.verified" | "kyc.rejected" | "kyc.expired"

/** How long a level stays verified, in days; the others have no end (KYC level limits). */
const VALID_DAYS: { readonly [L in KycLevel]?: number } = { enhanced: 365, business: 182 }

/** When a verification of the level ends that passes at `at`; null when it does not. */
export const validUntil = (level: KycLevel, at: Timestamp): Timestamp | null => {
  const days = VALID_DAYS[level]
  return days === undefined ? null : at + days * DAY
}

/** The first wait of the worker for what did not work at once. */
export const FIRST_RETRY = 30 * SECOND

const refused = {
  to: "rejected" as const,
  emit: "kyc.rejected" as const,
}

const table: Machine.Table<VerificationFacts, VerificationMove, VerificationEmit> = {
  unverified: {
    submitted: {
      to: "pending",
      set: ({ at, challenge, retry_at }) => ({ challenge, retry_at, tries: 0, updated_at: at }),
    },
  },
  pending: {
    passed: {
      to: "verified",
      set: ({ at, level }) => ({
        verified_at: at,
        expires_at: validUntil(level, at),
        noticed: false,
        updated_at: at,
      }),
      drop: ["challenge", "tries", "retry_at"],
      emit: "kyc.verified",
    },
    refused: {
      ...refused,
      set: ({ at, rejection }) => ({ rejection, appeal_id: null, updated_at: at }),
      drop: ["challenge", "tries", "retry_at"],
    },
  },
  verified: {
    refused: {
      ...refused,
      set: ({ at, rejection }) => ({ rejection, appeal_id: null, updated_at: at }),
      drop: ["verified_at", "expires_at", "noticed"],
    },
    ended: {
      to: "expired",
      set: ({ at }) => ({ updated_at: at }),
      drop: ["noticed"],
      emit: "kyc.expired",
    },
    replaced: { to: "expired", set: ({ at }) => ({ updated_at: at }), drop: ["noticed"] },
  },
  rejected: {
    reopened: {
      to: "pending",
      set: ({ at }) => ({ challenge: null, retry_at: null, tries: 0, updated_at: at }),
      drop: ["rejection", "appeal_id"],
    },
  },
  expired: {},
}

/** The lifecycle of a verification (KYC verification states). */
export const machine = Machine.make<
  VerificationCommon,
  VerificationFacts,
  VerificationMove,
  VerificationEmit
>(table)
