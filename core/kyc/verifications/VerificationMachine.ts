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

/** The states of a verification with the fields of each (KYC verification states). */
export interface VerificationFacts {
  /** Before submission: never stored. */
  unverified: object
  /**
   * `retry_at` is when the worker sends its code or asks the issuing authority again; `tries` is
   * how often it has done so.
   */
  pending: { challenge: Challenge | null; tries: number; retry_at: Timestamp | null }
  /** `noticed` is set once the end was announced; `expires_at` is null where there is no end. */
  verified: { verified_at: Timestamp; expires_at: Timestamp | null; noticed: boolean }
  rejected: { rejection: Rejection; appeal_id: string | null }
  expired: { verified_at: Timestamp; expires_at: Timestamp | null }
}

/** The moves of a verification's lifecycle; `at` is the service's time. */
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
  /** A newer verification of the level replaces it. */
  | { readonly type: "replaced"; readonly at: Timestamp }
  /** An appeal was granted. */
  | { readonly type: "reopened"; readonly at: Timestamp }

/** The events that moves emit. */
export type VerificationEmit = "kyc.verified" | "kyc.rejected" | "kyc.expired"

/** How many days a level stays verified; other levels have no end (KYC level limits). */
const VALID_DAYS: { readonly [L in KycLevel]?: number } = { enhanced: 365, business: 182 }

/** Returns when a verification of the level that passes at `at` ends; null when it has no end. */
export const validUntil = (level: KycLevel, at: Timestamp): Timestamp | null => {
  const days = VALID_DAYS[level]
  return days === undefined ? null : at + days * DAY
}

/** How long the worker waits before its first retry, in milliseconds. */
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
