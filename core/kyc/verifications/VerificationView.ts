import { type Timestamp, toIso } from "../../shared/Timestamp.ts"
import { channelsOf, type Installed, limitsView } from "../limits/Limits.ts"
import { type IdentityData, shownData } from "./Submission.ts"
import type { Verification } from "./Verification.ts"
import { exactly } from "../../shared/Exact.ts"
import type { SummaryView, VerificationView } from "./VerificationSchema.ts"

/** Hours that a review of a business takes; fewer where a channel confirms the user. */
const REVIEW_HOURS = 48
const EXPEDITED_HOURS = 24

/** Returns the verification as of `at`: it has expired at its end, even if no worker noted it. */
export const asOf = (verification: Verification, at: Timestamp): Verification => {
  if (verification.status !== "verified") return verification
  const { noticed: _noticed, ...rest } = verification
  return verification.expires_at !== null && verification.expires_at <= at
    ? { ...rest, status: "expired" }
    : verification
}

const statusFields = (verification: Verification, at: Timestamp) => {
  switch (verification.status) {
    case "pending": {
      const { challenge } = verification
      return {
        ...(challenge !== null &&
          at < challenge.expires_at && {
            challenge: {
              type: "otp",
              channels: ["email", "sms"],
              expires_at: toIso(challenge.expires_at),
            },
          }),
        ...(verification.level === "business" && {
          compliance_review_required: true,
          estimated_review_time_hours:
            verification.confirmed_channels.length > 0 ? EXPEDITED_HOURS : REVIEW_HOURS,
        }),
      }
    }
    case "rejected":
      return {
        rejection_reason: verification.rejection,
        ...(verification.appeal_id !== null && { appeal_id: verification.appeal_id }),
      }
    case "verified":
    case "expired":
      return {
        verified_at: toIso(verification.verified_at),
        ...(verification.expires_at !== null && { expires_at: toIso(verification.expires_at) }),
      }
    case "unverified":
      return {}
  }
}

/** Shows a verification in lists, without what was submitted. */
export const verificationSummary = exactly<typeof SummaryView.Type>()(
  (verification: Verification, at: Timestamp) => ({
    verification_id: verification.id,
    agent_id: verification.agent_id,
    level: verification.level,
    status: asOf(verification, at).status,
    ...statusFields(asOf(verification, at), at),
    created_at: toIso(verification.created_at),
    updated_at: toIso(verification.updated_at),
  }),
)

/**
 * Shows a verification to its account (KYC verification). Limits and channels are those of its
 * level.
 */
export const verificationView = exactly<typeof VerificationView.Type>()(
  (
    verification: Verification,
    data: IdentityData,
    { catalog, terms }: Installed,
    at: Timestamp,
  ) => ({
    ...verificationSummary(verification, at),
    data: shownData(data),
    limits: limitsView(terms.limits, verification.level),
    channels: channelsOf(catalog, verification.level),
    ...(verification.confirmed_channels.length > 0 && {
      channel_friction_reduced: true,
      friction_reduction_channels: verification.confirmed_channels,
    }),
  }),
)
