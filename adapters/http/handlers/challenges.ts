import { closeSession } from "../../../core/challenges/closeSession.ts"
import { drawSession } from "../../../core/challenges/drawSession.ts"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import type { challenges } from "../contract/challenges.ts"
import type { CoreHandlers } from "./Core.ts"

/** The handlers of requests from sellers' paid endpoints. */
export const challengeHandlers = {
  open: ({ caller, payload }) => openChallenge(caller, payload),
  redeem: ({ caller, params, payload }) => redeemProof(caller, params.id, payload),
  draw: ({ caller, params, payload }) => drawSession(caller, params.id, payload),
  close: ({ caller, params, payload }) => closeSession(caller, params.id, payload),
} satisfies CoreHandlers<typeof challenges>
