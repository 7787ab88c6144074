import type { ChallengeView, RedemptionView } from "../../../core/challenges/ChallengeView.ts"
import type { OpenChallengeInput, RedeemInput } from "../../../core/challenges/ChallengeInput.ts"
import { type ClientOptions, makeClient } from "../client/client.ts"

/** Opens challenges and redeems proofs. Rejects with `PayportError`. */
export interface ChallengeClient {
  readonly open: (input: OpenChallengeInput) => Promise<ChallengeView>
  readonly redeem: (paymentIntent: string, input: RedeemInput) => Promise<RedemptionView>
}

/** A client of the service at `baseUrl`, with a seller's key. */
export const challengeClient = (
  options: Pick<ClientOptions, "apiKey" | "baseUrl" | "rotate">,
): ChallengeClient => {
  const { challenges } = makeClient(options)
  return {
    open: (payload) => challenges.open({ payload }),
    redeem: (id, payload) => challenges.redeem({ params: { id }, payload }),
  }
}
