import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import { Failure } from "../../shared/Failure.ts"
import type { InState } from "../../shared/Machine.ts"
import { DAY, type Timestamp } from "../../shared/Timestamp.ts"
import type { KycLevel } from "../../channels/Channel.ts"
import type { VerificationFacts } from "./VerificationMachine.ts"

/** The fields of a verification in every state (KYC verification). */
export interface VerificationCommon {
  /** `kyc_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The account that submitted it. */
  readonly account_id: string
  readonly agent_id: string
  /** The id of the agent's record. */
  readonly agent: string
  readonly level: KycLevel
  /** The submitted data as sealed JSON; null once it has been erased. */
  readonly sealed: string | null
  /** The channels that confirmed the submitted credentials. */
  readonly confirmed_channels: ReadonlyArray<string>
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** When the data is erased, unless the account submits again before. */
  readonly keep_until: Timestamp
  /** When the worker handles it next; null when nothing is left to do. */
  readonly due_at: Timestamp | null
}

/** A verification in one of its states. */
export type Verification = VerificationCommon & InState<VerificationFacts>

/** A verification in the state of the given name. */
export type VerificationIn<S extends keyof VerificationFacts> = Extract<
  Verification,
  { readonly status: S }
>

/** How long data is kept, in milliseconds: five years, of which two may be leap years. */
export const RETENTION = (5 * 365 + 2) * DAY

/** How long before its end a verification's end is announced, in milliseconds. */
export const NOTICE = 30 * DAY

const nextStep = (verification: Verification): Timestamp | null => {
  if (verification.status === "pending") return verification.retry_at
  if (verification.status !== "verified" || verification.expires_at === null) return null
  return verification.noticed ? verification.expires_at : verification.expires_at - NOTICE
}

/** Sets the time at which the worker handles the verification next. */
export const scheduled = (verification: Verification): Verification => {
  const times = [
    nextStep(verification),
    verification.sealed === null ? null : verification.keep_until,
  ]
  const known = times.filter((time) => time !== null)
  return { ...verification, due_at: known.length === 0 ? null : Math.min(...known) }
}

/** Returns a verification without its submitted data. Without data, nothing is left to check. */
export const erased = (verification: Verification): Verification => ({
  ...verification,
  sealed: null,
  ...(verification.status === "pending" && { retry_at: null }),
})

/** Returns the context that a verification's data is sealed for. */
export const dataPlace = (verificationId: string): string => `verification:${verificationId}:data`

/** Makes the failure of a move that the verification's status does not allow. */
export const cannot = (verification: Verification, what: string) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `The verification is ${verification.status} and cannot be ${what}.`,
    details: { verification_id: verification.id, status: verification.status },
  })

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly verification: Verification
  }
}

/** How the store keeps verifications. */
export const verificationKind = defineKind("verification", {
  prefix: "kyc",
  erased: true,
  dueAt: ownDueAt,
  lists: [["account_id"], ["agent"], ["status", "level"]],
  sealed: (verification, change) =>
    verification.sealed === null
      ? verification
      : {
          ...verification,
          sealed: change({ place: dataPlace(verification.id), sealed: verification.sealed }),
        },
})
