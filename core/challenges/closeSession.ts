import { Clock, Data, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { voidIntent } from "../payments/endIntent.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Store } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import { answeredRefund, refundUnused } from "../refunds/createRefund.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { Failure } from "../shared/Failure.ts"
import { type Challenge, standingOf } from "./Challenge.ts"
import { closed, type CloseInput } from "./PaymentSession.ts"
import { findRest } from "./findRest.ts"
import { findProven, readPayment, unresolved, used } from "./provenPayment.ts"

/** The session has changed while it was being closed. */
class Moved extends Data.TaggedError("Moved")<object> {}

const ATTEMPTS = 12

const contended = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Draws on the session are in progress. Close it again in a second.",
    retry_after: 1,
  })

/** Voids a payment of which nothing was taken. The hold is released at once. */
const release = Effect.fnUntraced(function* (caller: Caller, id: string) {
  yield* voidIntent(caller, id).pipe(
    // It was captured or has ended meanwhile: decide again on its present state.
    catchFailure(["INVALID_TRANSITION", "NOT_FOUND"], () => Effect.fail(new Moved())),
    // The seller of a challenge is the payee of its payment.
    catchFailure(["FORBIDDEN"], Effect.die),
    // The request's answer is not the payment.
    Effect.provideService(CurrentRequest, null),
  )
  return { payment_intent: id, refund: null }
})

/** Closes a session whose deposit has nothing left to refund, for now or for good. */
const closeEmpty = Effect.fnUntraced(function* (challenge: Challenge, waits: boolean) {
  const view = { payment_intent: challenge.payment_intent, refund: null }
  const record = closed(challenge, null, yield* Clock.currentTimeMillis, waits)
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "challenge", record }],
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Refunds what was taken and not drawn, and closes the session in the same commit. For a closed
 * session, refunds what a failed refund has left.
 */
const giveBackRest = Effect.fnUntraced(function* (
  caller: Caller,
  challenge: Challenge,
  intent: PaymentIntent,
) {
  const { id } = intent
  const { value, waits } = yield* findRest(challenge, intent)
  if (value === 0) return yield* closeEmpty(challenge, waits)
  const amount = { currency: challenge.amount.currency, value }
  const unmoved = Effect.gen(function* () {
    const now = yield* (yield* Store).find("challenge", challenge.id)
    if (now?.version !== challenge.version) return yield* new Moved()
  })
  const asBefore = Effect.gen(function* () {
    yield* unmoved
    const now = yield* (yield* Store).find("payment_intent", id)
    if (now?.version !== intent.version) return yield* new Moved()
  })
  const refund = yield* refundUnused(caller, id, amount, (name, at) =>
    Effect.as(unmoved, {
      writes: [{ op: "replace", kind: "challenge", record: closed(challenge, name, at, waits) }],
    }),
  ).pipe(
    // The close or the refund of another request in between can be why it is refused here.
    catchFailure(
      ["REFUND_EXCEEDS_PAYMENT", "REFUND_NOT_ALLOWED", "REFUND_LIMIT_EXCEEDED"],
      (error) => Effect.andThen(asBefore, Effect.fail(error)),
    ),
  )
  return { payment_intent: id, refund: challenge.rest_refund ?? refund.id }
})

/** Closes the session as it is now, or returns the result of the earlier close. */
const closeOnce = Effect.fnUntraced(function* (caller: Caller, challenge: Challenge) {
  const { closed_at, drawn, payment_intent: id, redeemed_at, rest_refund } = challenge
  if (closed_at !== null) {
    const deposit = yield* readPayment(id)
    const { value } = yield* findRest(challenge, deposit)
    if (value > 0) return yield* giveBackRest(caller, challenge, deposit)
    // Fails like the close did if the channel has rejected the refund.
    if (rest_refund !== null) yield* answeredRefund(caller, rest_refund)
    return { payment_intent: id, refund: rest_refund }
  }
  // The first draw uses a deposit. A deposit used without a draw has bought something.
  if (redeemed_at !== null && drawn === null) return yield* used(challenge)
  const intent = yield* readPayment(id)
  switch (standingOf(intent)) {
    case "unpaid":
    case "authorized":
      return yield* release(caller, id)
    case "ended":
      // A channel that could not settle the deposit has given all of it back by itself.
      return drawn === null
        ? { payment_intent: id, refund: null }
        : yield* closeEmpty(challenge, false)
    case "unresolved":
      return yield* unresolved(intent)
    case "paid":
    case "returned":
      return yield* giveBackRest(caller, challenge, intent)
  }
})

/** The session that a worker tried to close was drawn from meanwhile, so it continues. */
export class GoesOn extends Data.TaggedError("GoesOn")<object> {}

/** Finds the challenge whose session is to be closed. */
type Finding = Effect.Effect<
  Challenge,
  Effect.Error<ReturnType<typeof findProven>> | GoesOn,
  Store | Vault
>

const closing = (caller: Caller, found: Finding) =>
  retryConflict(Effect.flatMap(found, (challenge) => closeOnce(caller, challenge)))

/** Closes the session in its present state, and again if the session changes meanwhile. */
const closeWithin = (
  attempts: number,
  caller: Caller,
  found: Finding,
): ReturnType<typeof closing> =>
  Effect.catchTag(closing(caller, found), "Moved", (error) =>
    attempts === 0 ? Effect.fail(error) : closeWithin(attempts - 1, caller, found),
  )

const close = (caller: Caller, found: Finding) =>
  Effect.catchTag(closeWithin(ATTEMPTS, caller, found), "Moved", () => contended())

/**
 * Closes a session: refunds the rest of its deposit, and ends all draws in the same commit. If
 * nothing was taken yet, it voids the payment, which releases the hold at once. A repeated close
 * returns the same refund. If the channel rejects that refund, the session stays closed, and the
 * seller has to make another refund. If a refund fails that was pending at the close and had taken
 * a part of the rest, the next close gives that part back, or a worker does.
 *
 * Fails as a draw and as a refund do.
 */
export const closeSession = Effect.fn("closeSession")(
  (caller: Caller, id: string, input: CloseInput) =>
    Effect.catchTag(close(caller, findProven(caller, id, input)), "GoesOn", Effect.die),
)

/**
 * Closes the session of a deposit for its seller, without a proof, if the challenge has not
 * changed. Fails as a close does, and with `GoesOn`.
 */
export const closeUnchanged = (caller: Caller, { id, version }: Challenge) =>
  close(
    caller,
    Effect.gen(function* () {
      const challenge = yield* (yield* Store).find("challenge", id)
      return challenge?.version === version ? challenge : yield* new GoesOn()
    }),
  )
