import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import { captureIntent } from "../payments/captureIntent.ts"
import { settledAsOf } from "../payments/expireIntent.ts"
import { shownStatus } from "../payments/PaymentIntent.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { toIso } from "../shared/Timestamp.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { type Challenge, challengeId, mismatch, redeemed, standingOf, useOf } from "./Challenge.ts"
import type { RedeemInput } from "./ChallengeInput.ts"
import { payLink, redemptionView } from "./ChallengeView.ts"

/** When to retry while the payment is in progress, in seconds. */
const ASK_AGAIN = 2

/** One answer for payments that do not exist, belong to another seller, or have another token. */
const invalid = () =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message: "The token proves no payment. Send no proof to be asked for a payment.",
  })

const boundElsewhere = (field: string) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message: `The payment was for another ${field}. Send no proof to be asked for a payment.`,
    field,
    details: { bound_to: field },
  })

const used = ({ payment_intent, valid_seconds }: Challenge) =>
  new Failure({
    code: "PAYMENT_PROOF_USED",
    message:
      valid_seconds === null
        ? "The payment has been used: it opens the resource once."
        : "The payment has been used: its time is over.",
    details: { payment_intent },
  })

/** How the payment that can still be made is made, for whoever asks for it again. */
const stillDue = ({ channel, expires_at, id }: PaymentIntent) =>
  channel === null ? {} : { channel, qr_uri: payLink(id, channel), expires_at: toIso(expires_at) }

const required = (intent: PaymentIntent, status: string, why: string) =>
  new Failure({
    code: "PAYMENT_REQUIRED",
    message: why,
    details: {
      payment_intent: intent.id,
      status,
      ...(standingOf(intent) === "unpaid" && stillDue(intent)),
    },
  })

const unresolved = (intent: PaymentIntent) =>
  new Failure({
    code: "PAYMENT_UNRESOLVED",
    message:
      "Whether the money was taken is being found out. Show the same proof again; pay no more.",
    details: { payment_intent: intent.id, status: shownStatus(intent) },
    retry_after: ASK_AGAIN,
  })

/** The challenge that the token proves; a token is compared by its hash, in constant time. */
const findProven = Effect.fnUntraced(function* (caller: Caller, id: string, token: string) {
  if (!isId("pi", id)) return yield* invalid()
  const challenge = yield* (yield* Store).find("challenge", challengeId(id))
  const vault = yield* Vault
  const hash = vault.sha256(token)
  if (challenge === undefined || challenge.account_id !== caller.account.id) return yield* invalid()
  return vault.equal(hash, challenge.token_hash) ? challenge : yield* invalid()
})

const readPayment = Effect.fnUntraced(function* (id: string) {
  const intent = yield* (yield* Store).find("payment_intent", id)
  if (intent === undefined) return yield* invalid()
  return yield* settledAsOf(intent, yield* Clock.currentTimeMillis)
})

/** The payment once its authorized money was taken, or as far as that came: it may have moved. */
const takeMoney = Effect.fnUntraced(function* (caller: Caller, id: string) {
  yield* captureIntent(caller, id).pipe(
    catchFailure(["CHANNEL_ERROR", "INVALID_TRANSITION", "NOT_FOUND"], () => Effect.void),
    // The seller of a challenge is the payee of its payment.
    catchFailure(["FORBIDDEN"], Effect.die),
  )
  return yield* readPayment(id)
})

/** The paid payment of a challenge, or why it is none. */
const findPaid = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const found = yield* readPayment(id)
  const intent = standingOf(found) === "authorized" ? yield* takeMoney(caller, id) : found
  switch (standingOf(intent)) {
    case "paid":
      return intent
    case "authorized":
    case "unresolved":
      return yield* unresolved(intent)
    case "unpaid":
      return yield* required(intent, shownStatus(intent), "The payment has not been made yet.")
    case "ended":
      return yield* required(intent, intent.status, `The payment is ${intent.status}.`)
    case "returned":
      return yield* required(intent, "refunded", "The payment was given back.")
  }
})

const redeem = Effect.fnUntraced(function* (caller: Caller, id: string, input: RedeemInput) {
  const challenge = yield* findProven(caller, id, input.token)
  const other = mismatch(challenge, input)
  if (other !== undefined) return yield* boundElsewhere(other)
  const before = useOf(challenge, yield* Clock.currentTimeMillis)
  if (before === "used") return yield* used(challenge)
  const intent = yield* findPaid(caller, id)
  const now = yield* Clock.currentTimeMillis
  const { redeemed_at } = challenge
  if (redeemed_at !== null) return redemptionView({ ...challenge, redeemed_at })
  const record = redeemed(challenge, now)
  const view = redemptionView({ ...record, redeemed_at: now })
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "challenge", record }],
    guards: [{ kind: "payment_intent", id: intent.id, version: intent.version }],
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Accepts the proof that somebody shows a paid endpoint (HTTP 402 mode), on behalf of its seller:
 * the payment is captured where it is only authorized, and the proof is used up, once, whoever else
 * shows it at the same time; one with a time opens its resource again until that is over.
 *
 * Fails with `PAYMENT_PROOF_INVALID`, `PAYMENT_PROOF_USED`, `PAYMENT_REQUIRED` while nothing is
 * paid (`details.status` says whether it still can be), with `PAYMENT_UNRESOLVED` while nobody
 * knows, and with `INSUFFICIENT_KYC` where the seller's day has no room for the capture.
 */
export const redeemProof = Effect.fn("redeemProof")(
  (caller: Caller, id: string, input: RedeemInput) => retryConflict(redeem(caller, id, input)),
)
