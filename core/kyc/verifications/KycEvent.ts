import { Schema } from "effect"
import { KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import { toIso } from "../../shared/Timestamp.ts"
import type { EventContent, Happening } from "../../webhooks/events/Event.ts"
import { channelsOf, type Installed, limitsView, LimitsView } from "../limits/Limits.ts"
import type { Verification, VerificationIn } from "./Verification.ts"
import { Time } from "../../shared/Wire.ts"

/** The types of events about verifications (Events). */
type KycEventType = "kyc.verified" | "kyc.rejected" | "kyc.expiring" | "kyc.expired"

const subject = {
  verification_id: Schema.String.annotateKey({ description: "The verification's id." }),
  agent_id: Schema.String.annotateKey({ description: "The id of the verified agent." }),
  level: Schema.Literals(KYC_LEVELS).annotateKey({ description: "The requested level." }),
}

/** The `data` of `kyc.verified`. */
export const KycVerified = Schema.Struct({
  ...subject,
  previous_level: Schema.Literals(KYC_LEVELS).annotateKey({
    description: "The level that was in force before.",
  }),
  limits: LimitsView.annotateKey({
    description: "The level's payment limits in whole US dollars.",
  }),
  channels: Schema.Array(Schema.String).annotate({
    description: "The channels that the level unlocks.",
  }),
})

/** The `data` of `kyc.rejected`. */
export const KycRejected = Schema.Struct({
  ...subject,
  rejection_reason: Schema.Struct({
    code: Schema.String.annotateKey({ description: "The error code, for programs." }),
    message: Schema.String.annotateKey({ description: "The error message, for people." }),
  }).annotateKey({ description: "Why the verification was rejected." }),
  appeal_available: Schema.Boolean.annotateKey({ description: "Whether the account may appeal." }),
  appeal_url: Schema.String.annotateKey({ description: "The URL for appeals." }),
})

/** The `data` of `kyc.expiring`. */
export const KycExpiring = Schema.Struct({
  ...subject,
  expires_at: Schema.optionalKey(Time).annotateKey({
    description: "When the verified level expires.",
  }),
})

/** The `data` of `kyc.expired`. */
export const KycExpired = Schema.Struct({
  ...KycExpiring.fields,
  limits: LimitsView.annotate({
    description: "The limits of the level that remains, in whole US dollars.",
  }),
})

const happening = (
  { account_id, id: subject_id }: Verification,
  content: EventContent<KycEventType>,
): Happening => ({ ...content, accounts: [account_id], service_id: null, subject_id })

/** Returns the fields that every event about a verification has. */
const about = ({ agent_id, id, level }: Verification) => ({ verification_id: id, agent_id, level })

/** Makes the event of a verification that passed (Events, `kyc.verified`). */
export const verifiedEvent = (
  verification: VerificationIn<"verified">,
  previous: KycLevel,
  { catalog, terms }: Installed,
): Happening =>
  happening(verification, {
    type: "kyc.verified",
    data: {
      ...about(verification),
      previous_level: previous,
      limits: limitsView(terms.limits, verification.level),
      channels: channelsOf(catalog, verification.level),
    },
  })

/** Makes the event of a verification that was rejected (Events, `kyc.rejected`). */
export const rejectedEvent = (
  verification: VerificationIn<"rejected">,
  baseUrl: string,
): Happening => {
  const { code, message } = verification.rejection
  return happening(verification, {
    type: "kyc.rejected",
    data: {
      ...about(verification),
      rejection_reason: { code, message },
      appeal_available: verification.appeal_id === null,
      appeal_url: `${baseUrl}/v1/kyc/appeal`,
    },
  })
}

/** Makes the event of a verification that ends soon (Events, `kyc.expiring`). */
export const expiringEvent = (verification: VerificationIn<"verified">): Happening =>
  happening(verification, {
    type: "kyc.expiring",
    data: {
      ...about(verification),
      ...(verification.expires_at !== null && { expires_at: toIso(verification.expires_at) }),
    },
  })

/** Makes the event of a verification that ended, with the limits left (`kyc.expired`). */
export const expiredEvent = (
  verification: VerificationIn<"expired">,
  remaining: KycLevel,
  { limits }: Installed["terms"],
): Happening =>
  happening(verification, {
    type: "kyc.expired",
    data: {
      ...about(verification),
      ...(verification.expires_at !== null && { expires_at: toIso(verification.expires_at) }),
      limits: limitsView(limits, remaining),
    },
  })

declare module "../../webhooks/events/Event.ts" {
  interface EventData {
    readonly "kyc.verified": typeof KycVerified.Type
    readonly "kyc.rejected": typeof KycRejected.Type
    readonly "kyc.expiring": typeof KycExpiring.Type
    readonly "kyc.expired": typeof KycExpired.Type
  }
}
