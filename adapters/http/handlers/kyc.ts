import { appeal, getAppeal, reviewAppeal } from "../../../core/kyc/reviews/appeals.ts"
import { getAgent } from "../../../core/kyc/verifications/getAgent.ts"
import { getVerification } from "../../../core/kyc/verifications/ownVerification.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import { openAppeal, openVerification } from "../../../core/kyc/reviews/openCase.ts"
import { listAppeals, listVerifications } from "../../../core/kyc/reviews/reviewLists.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import type { kyc, kycReviews } from "../contract/kyc.ts"
import type { CoreHandlers } from "./Core.ts"

export const kycHandlers = {
  verify: ({ caller, payload }) => verify(caller, payload),
  getVerification: ({ caller, params }) => getVerification(caller, params.id),
  getAgent: ({ caller, params }) => getAgent(caller, params.agent_id),
  appeal: ({ caller, payload }) => appeal(caller, payload),
  getAppeal: ({ caller, params }) => getAppeal(caller, params.id),
} satisfies CoreHandlers<typeof kyc>

export const kycReviewHandlers = {
  list: ({ query }) => listVerifications(query),
  open: ({ params }) => openVerification(params.id),
  listAppeals: ({ query }) => listAppeals(query),
  openAppeal: ({ params }) => openAppeal(params.id),
  review: ({ params, payload }) => reviewVerification(params.id, payload),
  reviewAppeal: ({ params, payload }) => reviewAppeal(params.id, payload),
} satisfies CoreHandlers<typeof kycReviews>
