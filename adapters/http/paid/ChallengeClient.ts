import { makeClient } from "../client/client.ts"
import type { ClientOptions } from "../client/RequestOptions.ts"
import type {
  Money,
  OpenChallengeInput,
  PaymentChallenge,
  PaymentRedemption,
  RedeemInput,
} from "../client/Resources.ts"

/** Opens challenges and redeems proofs. Rejects with `PayportError`. */
export interface ChallengeClient {
  readonly open: (input: OpenChallengeInput) => Promise<PaymentChallenge>
  readonly redeem: (paymentIntent: string, input: RedeemInput) => Promise<PaymentRedemption>
  /** Captures so much of what is held, and releases the rest; all of it where that is nothing. */
  readonly settle?: (paymentIntent: string, amount: Money) => Promise<unknown>
  /** `payport:sandbox` or `payport:live`. */
  readonly network?: () => Promise<string>
}

/** A client of the service at `baseUrl`, with a seller's key. */
export const challengeClient = (
  options: Pick<ClientOptions, "apiKey" | "baseUrl" | "rotate">,
): ChallengeClient => {
  const { challenges, facilitator, intents } = makeClient(options)
  let found: Promise<string> | undefined
  const findNetwork = async () => {
    const [kind] = (await facilitator.supported()).kinds
    if (kind === undefined) throw new Error("The facilitator supports no network.")
    return kind.network
  }
  return {
    open: challenges.create,
    redeem: challenges.redeem,
    settle: (id, amount) =>
      amount.value === 0 ? intents.void(id) : intents.capture(id, { amount }),
    network: () =>
      (found ??= findNetwork().catch((error: unknown) => {
        found = undefined
        throw error
      })),
  }
}
