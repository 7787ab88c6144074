import { makeClient } from "../client/client.ts"
import { keepNewest } from "../client/keepNewest.ts"
import { ConnectionFailed, isJudged, PayportError } from "../client/PayportError.ts"
import type { ClientOptions } from "../client/RequestOptions.ts"
import type {
  Money,
  OpenChallengeInput,
  PaymentChallenge,
  PaymentIntent,
  PaymentRedemption,
  RedeemInput,
} from "../client/Resources.ts"

/** An input whose fields are there or are not: whoever implements a client gets no `undefined`. */
type Sent<Input> = { readonly [K in keyof Input]: Exclude<Input[K], undefined> }

/** Opens challenges and redeems proofs. Rejects with `PayportError`. */
export interface ChallengeClient {
  readonly open: (input: Sent<OpenChallengeInput>) => Promise<PaymentChallenge>
  readonly redeem: (paymentIntent: string, input: Sent<RedeemInput>) => Promise<PaymentRedemption>
  /** Captures that amount of the held money, and releases the rest; for 0 releases all. */
  readonly settle?: (paymentIntent: string, amount: Money) => Promise<unknown>
  /** `payport:sandbox` or `payport:live`. */
  readonly network?: () => Promise<string>
}

/** The most redemptions of unclear outcome that are remembered. */
const MOST = 1_000

/** The states of a payment whose money its seller cannot have. */
const OVER: ReadonlySet<PaymentIntent["status"]> = new Set([
  "failed",
  "expired",
  "cancelled",
  "voided",
])

/** Whether a redemption may have been made. Then the same one under the same key finds out. */
const isUnclear = (error: unknown): boolean =>
  error instanceof ConnectionFailed ||
  (error instanceof PayportError &&
    error.may_have_acted &&
    !isJudged(error) &&
    error.code !== "PAYMENT_UNRESOLVED")

/** Fails if a payment is not there any more, or a part of it was given back. */
const checkThere = ({ id, refunded_amount, status }: PaymentIntent): void => {
  const isBack = (refunded_amount?.value ?? 0) > 0
  if (!isBack && !OVER.has(status)) return
  throw new PayportError({
    status: 402,
    code: "PAYMENT_REQUIRED",
    category: "payment_required",
    message: "The payment was given back before its request passed.",
    details: { payment_intent: id, status: isBack ? "refunded" : status },
  })
}

/**
 * Redeems proofs, which the service does once each. If the answer is lost, the proof may be used up
 * although its request has not passed. So the next request with it redeems under the same
 * idempotency key, and gets that answer. Of several such requests one takes the key, and passes.
 * The service repeats that answer for a day, also if the payment was given back since.
 */
const redeemOnce = ({
  challenges: { redeem },
  intents,
}: ReturnType<typeof makeClient>): ChallengeClient["redeem"] => {
  const unclear = new Map<string, string>()
  return async (paymentIntent, input) => {
    const what = JSON.stringify([paymentIntent, input])
    const before = unclear.get(what)
    const idempotencyKey = before ?? crypto.randomUUID()
    unclear.delete(what)
    const keep = (error: unknown): never => {
      // Another request has a key of its own, under which this one finds nothing out.
      if (before !== undefined || !unclear.has(what)) {
        keepNewest(unclear, what, idempotencyKey, MOST)
      }
      throw error
    }
    const redeemed = await redeem(paymentIntent, input, { idempotencyKey }).catch(
      (error: unknown) => {
        if (isUnclear(error)) keep(error)
        throw error
      },
    )
    if (before !== undefined) checkThere(await intents.get(paymentIntent).catch(keep))
    return redeemed
  }
}

/** Makes a client of the service at `baseUrl`, with a seller's key. */
export const challengeClient = (
  options: Pick<ClientOptions, "apiKey" | "baseUrl" | "rotate">,
): ChallengeClient => {
  const client = makeClient(options)
  const { challenges, facilitator, intents } = client
  let found: Promise<string> | undefined
  const findNetwork = async () => {
    const [kind] = (await facilitator.supported()).kinds
    if (kind === undefined) throw new Error("The facilitator supports no network.")
    return kind.network
  }
  return {
    open: challenges.create,
    redeem: redeemOnce(client),
    settle: (id, amount) =>
      amount.value === 0 ? intents.void(id) : intents.capture(id, { amount }),
    network: () =>
      (found ??= findNetwork().catch((error: unknown) => {
        found = undefined
        throw error
      })),
  }
}
