import type { Catalog } from "../../channels/Channel.ts"
import { toIso } from "../../shared/Timestamp.ts"
import type { Event, EventType, Happening } from "../../webhooks/events/Event.ts"
import type { KycLevel } from "../../shared/KycLevel.ts"
import { channelsOf, limitsView } from "../limits/Level.ts"
import type { Verification, VerificationIn } from "./Verification.ts"

const happening = (
  { account_id, id: subject_id }: Verification,
  type: EventType,
  data: Event["data"],
): Happening => ({ type, accounts: [account_id], service_id: null, subject_id, data })

/** What events say of every verification. */
const about = ({ agent_id, id, level }: Verification) => ({ verification_id: id, agent_id, level })

/** Tells that a verification has passed (Events, `kyc.verified`). */
export const verifiedEvent = (
  verification: VerificationIn<"verified">,
  previous: KycLevel,
  catalog: Catalog,
): Happening =>
  happening(verification, "kyc.verified", {
    ...about(verification),
    previous_level: previous,
    limits: limitsView(verification.level),
    channels: channelsOf(catalog, verification.level),
  })

/** Tells that a verification was rejected (Events, `kyc.rejected`). */
export const rejectedEvent = (
  verification: VerificationIn<"rejected">,
  baseUrl: string,
): Happening => {
  const { code, message } = verification.rejection
  return happening(verification, "kyc.rejected", {
    ...about(verification),
    rejection_reason: { code, message },
    appeal_available: verification.appeal_id === null,
    appeal_url: `${baseUrl}/v1/kyc/appeal`,
  })
}

/** Tells that a verification ends soon (Events, `kyc.expiring`). */
export const expiringEvent = (verification: VerificationIn<"verified">): Happening =>
  happening(verification, "kyc.expiring", {
    ...about(verification),
    ...(verification.expires_at !== null && { expires_at: toIso(verification.expires_at) }),
  })

/** Tells that a verification has ended, and which limits hold from then on (`kyc.expired`). */
export const expiredEvent = (
  verification: VerificationIn<"expired">,
  remaining: KycLevel,
): Happening =>
  happening(verification, "kyc.expired", {
    ...about(verification),
    ...(verification.expires_at !== null && { expires_at: toIso(verification.expires_at) }),
    limits: limitsView(remaining),
  })
