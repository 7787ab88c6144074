import { Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { type Challenge, identification } from "./Challenge.ts"
import { boundElsewhere, flawOf, readPayment } from "./provenPayment.ts"

const taken = () =>
  new Failure({
    code: "PAYMENT_IDENTIFIER_USED",
    message:
      "Another payment was already used with this payment_identifier. No money was taken for " +
      "this one. For another purchase, send another payment_identifier.",
    field: "payment_identifier",
  })

/**
 * Checks that a proof may be shown under the identifier. Each identifier belongs to one of a
 * seller's challenges.
 *
 * Fails with `PAYMENT_IDENTIFIER_USED` if another challenge has it, and with
 * `PAYMENT_PROOF_INVALID` if this one was shown under another.
 */
export const checkIdentifier = Effect.fnUntraced(function* (
  challenge: Challenge,
  identifier: string | undefined,
) {
  if (identification(challenge, identifier) === "other") {
    return yield* boundElsewhere("payment_identifier")
  }
  if (identifier === undefined) return
  const { account_id, id } = challenge
  const name = { account_id, payment_identifier: identifier }
  const holder = yield* (yield* Store).findBy("challenge", name)
  if (holder !== undefined && holder.id !== id) return yield* taken()
})

/**
 * Returns the challenge with its identifier stored, before any money is taken for it. Of several
 * payments that are shown under one identifier at once, one is captured. Only a payment that is
 * made or authorized gets the identifier, so that a mistake does not use it up.
 *
 * Fails like {@link checkIdentifier}, and like a proof of that payment.
 */
export const identifyPurchase = Effect.fnUntraced(function* (
  challenge: Challenge,
  identifier: string | undefined,
  isLate: boolean,
) {
  yield* checkIdentifier(challenge, identifier)
  if (identifier === undefined || challenge.payment_identifier !== null) return challenge
  if (challenge.redeemed_at !== null) return challenge
  const flaw = flawOf(yield* readPayment(challenge.payment_intent), isLate)
  if (flaw !== undefined) return yield* flaw
  const named = { ...challenge, payment_identifier: identifier }
  const write = { op: "replace", kind: "challenge", record: named } as const
  yield* (yield* Store).commit({ writes: [write] })
  return { ...named, version: challenge.version + 1 }
})
