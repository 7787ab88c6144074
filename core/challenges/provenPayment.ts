import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type Channel, find } from "../channels/Channel.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { capturePayment } from "../payments/captureIntent.ts"
import { voidIntent } from "../payments/endIntent.ts"
import { settledAsOf } from "../payments/expireIntent.ts"
import { type PaymentIntent, shownStatus } from "../payments/PaymentIntent.ts"
import { takenAmount, takenValue } from "../payments/Taken.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { toIso } from "../shared/Timestamp.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import {
  type Challenge,
  challengeId,
  isDeposit,
  mismatch,
  type Presented,
  shortfallOf,
  standingOf,
} from "./Challenge.ts"
import { payLink } from "./ChallengeView.ts"

/** When to retry while the payment is in progress, in seconds. */
const ASK_AGAIN = 2

/** Returns one failure for payments that do not exist, have another seller or another token. */
export const invalid = () =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message: "The token proves no payment. Repeat the request without a proof to get a challenge.",
  })

/** Returns the failure for a proof that is bound to something else. */
export const boundElsewhere = (field: string) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `The payment was made for another ${field}. ` +
      "Repeat the request without a proof to get a challenge.",
    field,
    details: { bound_to: field },
  })

const useText = (challenge: Challenge): string => {
  if (isDeposit(challenge)) {
    return "The payment is the deposit of a session: it pays for draws alone."
  }
  return challenge.valid_seconds === null
    ? "The payment was used before: it pays for one request."
    : "The payment was used before, and its access has expired."
}

/** Returns the failure for a proof that was used up. */
export const used = (challenge: Challenge) => {
  const { payment_intent, redeemed_at } = challenge
  return new Failure({
    code: "PAYMENT_PROOF_USED",
    message: useText(challenge),
    details: { payment_intent, ...(redeemed_at !== null && { redeemed_at: toIso(redeemed_at) }) },
  })
}

/** Returns how to make a payment that is still unpaid. */
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

/** Returns the failure for a proof while it is unknown whether its money was taken. */
export const unresolved = (intent: PaymentIntent) =>
  new Failure({
    code: "PAYMENT_UNRESOLVED",
    message:
      "It is not known yet whether the money was taken. Send the same proof again. Do not pay " +
      "again.",
    details: { payment_intent: intent.id, status: shownStatus(intent) },
    retry_after: ASK_AGAIN,
  })

/** A proof with the terms under which it is shown. */
export interface ShownProof extends Presented {
  readonly token: string
  /** The client's identifier of its purchase. */
  readonly payment_identifier?: string | undefined
}

/**
 * Returns the challenge that the token proves under these terms. The token is compared by its hash,
 * in constant time. Fails with `PAYMENT_PROOF_INVALID`.
 */
export const findProven = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  proof: ShownProof,
) {
  if (!isId("pi", id)) return yield* invalid()
  const challenge = yield* (yield* Store).find("challenge", challengeId(id))
  const vault = yield* Vault
  const hash = vault.sha256(proof.token)
  if (challenge === undefined || challenge.account_id !== caller.account.id) return yield* invalid()
  if (!vault.equal(hash, challenge.token_hash)) return yield* invalid()
  const other = mismatch(challenge, proof)
  return other === undefined ? challenge : yield* boundElsewhere(other)
})

/** Returns the payment of a challenge as it is stored. */
export const storedPayment = Effect.fnUntraced(function* (id: string) {
  return (yield* (yield* Store).find("payment_intent", id)) ?? (yield* invalid())
})

/** Returns the payment of a challenge as it is now. */
export const readPayment = Effect.fnUntraced(function* (id: string) {
  return yield* settledAsOf(yield* storedPayment(id), yield* Clock.currentTimeMillis)
})

/** Returns the failure of a proof for a part that cannot be captured. */
const notInPart = ({ message }: Failure<"INVALID_AMOUNT">) =>
  new Failure({ code: "PAYMENT_PROOF_INVALID", message, field: "amount" })

/** Returns the failure of a settlement if another amount was taken. */
const takenOtherwise = (intent: PaymentIntent) =>
  new Failure({
    code: "PAYMENT_PROOF_USED",
    message:
      `The payment was already settled, for ${takenValue(intent)} minor units. To get that ` +
      "result again, settle the same amount. To return a part, refund it.",
    details: { payment_intent: intent.id, captured_amount: takenAmount(intent) },
  })

const givenBack = (intent: PaymentIntent) =>
  required(
    intent,
    "refunded",
    `${intent.refunded.value} minor units of the payment were given back, so it is not the price.`,
  )

/**
 * Returns the failure of a proof if its payment was made, but is not the price: a part of it was
 * given back, or another amount than `takes` was taken, by default than all. Undefined otherwise.
 */
export const missing = (intent: PaymentIntent, takes?: number) => {
  switch (shortfallOf(intent, takes)) {
    case "given_back":
      return givenBack(intent)
    case "taken_otherwise":
      return takenOtherwise(intent)
    case undefined:
      return undefined
  }
}

/** Captures an authorized payment and returns it as it is then: the capture may have failed. */
const takeMoney = Effect.fnUntraced(function* (
  caller: Caller,
  intent: PaymentIntent,
  takes: number | undefined,
) {
  const { currency } = intent.amount
  const part = takes === undefined ? {} : { amount: { currency, value: takes } }
  const left = yield* capturePayment(caller, intent.id, part, intent).pipe(
    catchFailure(["CHANNEL_ERROR", "INVALID_TRANSITION", "NOT_FOUND"], () => Effect.undefined),
    catchFailure(["INVALID_AMOUNT"], notInPart),
    // The seller of a challenge is the payee of its payment.
    catchFailure(["FORBIDDEN"], Effect.die),
  )
  return left !== undefined && standingOf(left) === "paid" ? left : yield* readPayment(intent.id)
})

/** Releases an authorized payment and returns it. Fails if it cannot be released. */
const findReleased = Effect.fnUntraced(function* (caller: Caller, found: PaymentIntent) {
  if (found.status === "voided") return found
  if (standingOf(found) === "authorized") {
    yield* voidIntent(caller, found.id).pipe(
      catchFailure(["INVALID_TRANSITION", "NOT_FOUND"], () => Effect.void),
      // The request's answer is not the payment.
      Effect.provideService(CurrentRequest, null),
    )
  }
  const after = yield* readPayment(found.id)
  if (after.status === "voided") return after
  return yield* (
    flawOf(after, false) ??
      (standingOf(after) === "paid" ? takenOtherwise(after) : unresolved(after))
  )
})

/**
 * Returns why the payment proves nothing, or not yet; undefined if it is paid, or authorized and
 * shown in time. A captured payment is a proof at any time.
 */
export const flawOf = (intent: PaymentIntent, isLate: boolean) => {
  switch (standingOf(intent)) {
    case "paid":
      return undefined
    case "authorized":
      return isLate ? required(intent, "expired", "The proof was sent too late.") : undefined
    case "unresolved":
      return unresolved(intent)
    case "unpaid":
      return required(intent, shownStatus(intent), "The payment has not been made yet.")
    case "ended":
      return required(intent, intent.status, `The payment is ${intent.status}.`)
    case "returned":
      return required(intent, "refunded", "The payment was refunded.")
  }
}

/** Returns the failure for taking money that was never held for the seller. */
export const notHeld = (payment_intent: string) =>
  new Failure({
    code: "PAYMENT_REQUIRED",
    message: "The payment is not held yet. Settle it first with the payload that began it.",
    details: { payment_intent, status: "authorized" },
  })

const wholeOnly = (channel: Channel | undefined) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `${channel?.id ?? "The channel"} cannot capture a part of a payment. ` +
      "Pay by a channel with partial_capture.",
    field: "channel",
  })

/** Rejects a payment of which a part may be taken if its channel captures no parts. */
export const checkParts = Effect.fnUntraced(function* ({ channel: name }: PaymentIntent) {
  const { catalog } = yield* Installation
  const channel = name === null ? undefined : find(catalog, name)
  if (channel?.partial_capture !== true) return yield* wholeOnly(channel)
})

/** Returns the payment of a challenge if its money is held or was taken. Fails otherwise. */
export const findHeld = Effect.fnUntraced(function* (id: string, isLate: boolean) {
  const intent = yield* readPayment(id)
  const flaw = flawOf(intent, isLate)
  if (flaw !== undefined) return yield* flaw
  yield* checkParts(intent)
  return intent
})

/** How the payment of an accepted proof is taken. */
export interface Taking {
  /** Whether the proof is shown too late. */
  readonly isLate: boolean
  /** Whether its seller captures an authorized payment later. */
  readonly later: boolean
  /** How much is taken, in minor units; all of it by default. */
  readonly takes?: number | undefined
}

/**
 * Returns the paid payment of a challenge, or fails. It captures an authorized payment, unless its
 * proof is too late or its seller captures it later. It captures as much as `takes`, and releases
 * the payment if that is 0.
 */
export const findPaid = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  { isLate, later, takes }: Taking,
) {
  const found = yield* readPayment(id)
  if (takes === 0) return yield* findReleased(caller, found)
  const isTaken = standingOf(found) === "authorized" && !isLate && !later
  const intent = isTaken ? yield* takeMoney(caller, found, takes) : found
  const flaw = flawOf(intent, isLate)
  if (flaw !== undefined) return yield* flaw
  return standingOf(intent) === "authorized" && !later ? yield* unresolved(intent) : intent
})
