import { makeClient } from "../client/client.ts"
import { keepNewest } from "../client/keepNewest.ts"
import { ConnectionFailed, isJudged, PayportError } from "../client/PayportError.ts"
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

/** The most redemptions of unclear outcome that are remembered. */
const MOST = 1_000

/** Whether a redemption may have been made. Then the same one under the same key finds out. */
const isUnclear = (error: unknown): boolean =>
  error instanceof ConnectionFailed ||
  (error instanceof PayportError &&
    error.may_have_acted &&
    !isJudged(error) &&
    error.code !== "PAYMENT_UNRESOLVED")

/**
 * Redeems proofs, which the service does once each. If the answer is lost, the proof may be used up
 * although its request has not passed. So the next request with it redeems under the same
 * idempotency key, and gets that answer. Of several such requests one takes the key, and passes.
 */
const redeemOnce = (
  redeem: ReturnType<typeof makeClient>["challenges"]["redeem"],
): ChallengeClient["redeem"] => {
  const unclear = new Map<string, string>()
  return async (paymentIntent, input) => {
    const what = JSON.stringify([paymentIntent, input])
    const idempotencyKey = unclear.get(what) ?? crypto.randomUUID()
    unclear.delete(what)
    try {
      return await redeem(paymentIntent, input, { idempotencyKey })
    } catch (error) {
      if (isUnclear(error)) keepNewest(unclear, what, idempotencyKey, MOST)
      throw error
    }
  }
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
    redeem: redeemOnce(challenges.redeem),
    settle: (id, amount) =>
      amount.value === 0 ? intents.void(id) : intents.capture(id, { amount }),
    network: () =>
      (found ??= findNetwork().catch((error: unknown) => {
        found = undefined
        throw error
      })),
  }
}
