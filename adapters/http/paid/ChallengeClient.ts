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
  /** Captures that amount of the held money, and releases the rest; for 0 releases all. */
  readonly settle?: (paymentIntent: string, amount: Money) => Promise<unknown>
  /** `payport:sandbox` or `payport:live`. */
  readonly network?: () => Promise<string>
}

/** Makes a client of the service at `baseUrl`, with a seller's key. */
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
