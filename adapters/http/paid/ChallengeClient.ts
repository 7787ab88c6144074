import { makeClient } from "../client/client.ts"
import type { ClientOptions } from "../client/RequestOptions.ts"
import type {
  OpenChallengeInput,
  PaymentChallenge,
  PaymentRedemption,
  RedeemInput,
} from "../client/Resources.ts"

/** Opens challenges and redeems proofs. Rejects with `PayportError`. */
export interface ChallengeClient {
  readonly open: (input: OpenChallengeInput) => Promise<PaymentChallenge>
  readonly redeem: (paymentIntent: string, input: RedeemInput) => Promise<PaymentRedemption>
}

/** A client of the service at `baseUrl`, with a seller's key. */
export const challengeClient = (
  options: Pick<ClientOptions, "apiKey" | "baseUrl" | "rotate">,
): ChallengeClient => {
  const { challenges } = makeClient(options)
  return { open: challenges.create, redeem: challenges.redeem }
}
