import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type CreatedIntent, requestPayment } from "../payments/createIntent.ts"
import { newQrCodes } from "../payments/registerCharges.ts"
import { findPayable } from "../registry/findPayable.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Installation } from "../ports/Installation.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { type Challenge, challengeId, UNPAID_KEPT } from "./Challenge.ts"
import type { OpenChallengeInput, PayForResourceInput } from "./ChallengeInput.ts"
import { challengeView } from "./ChallengeView.ts"

const foreign = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "Only the seller of a service can open a payment challenge for it.",
    field: "service_id",
  })

const twoUses = () =>
  invalidField(
    "idle_seconds",
    "a payment is a deposit (idle_seconds) or gives access for a time (valid_seconds), not both",
  )

const noCode = (message: string) =>
  new Failure({
    code: "CHANNEL_ERROR",
    message: `The channel could not make the payment's QR code: ${message}`,
  })

const challengeOf = (
  { record }: CreatedIntent,
  { idle_seconds, resource, valid_seconds }: OpenChallengeInput,
  token_hash: string,
): Challenge => ({
  id: challengeId(record.id),
  version: 1,
  account_id: record.payee_account_id,
  payment_intent: record.id,
  service_id: record.service_id,
  amount: record.amount,
  resource,
  token_hash,
  valid_seconds: valid_seconds ?? null,
  payment_identifier: null,
  redeemed_at: null,
  created_at: record.created_at,
  expires_at: record.expires_at,
  idle_seconds: idle_seconds ?? null,
  drawn: null,
  closed_at: null,
  rest_refund: null,
  due_at: record.expires_at + UNPAID_KEPT,
})

/** Creates the payment of a resource with its token, by QR code, on one channel. */
const challengePayment = Effect.fnUntraced(function* (
  caller: Caller,
  service: ServiceManifest,
  input: OpenChallengeInput,
  countedLater: boolean,
) {
  const { amount, channel, description, resource, service_id } = input
  const { mode } = yield* Installation
  const vault = yield* Vault
  const token = vault.token()
  const token_hash = vault.sha256(token)
  const answer = (created: CreatedIntent) => {
    const { record } = created
    if (record.status === "failed") return Result.fail(noCode(record.failure_message))
    if (record.channel === null) return Result.fail(noCode("no channel was chosen."))
    const challenge = challengeOf(created, input, token_hash)
    const write = { op: "insert", kind: "challenge", record: challenge } as const
    return Result.succeed({
      view: challengeView(challenge, record, record.channel, token, mode),
      writes: [write],
    })
  }
  const payment = {
    type: "one_time" as const,
    service_id,
    amount,
    description: description ?? `${service.name}: ${resource}`.slice(0, 1024),
    ...(channel !== undefined && { payer_channel: channel }),
  }
  const codes = yield* newQrCodes
  return yield* retryConflict(
    requestPayment(caller, payment, { single: true, countedLater, answer }, codes),
  )
})

/**
 * Creates a challenge for a resource (HTTP 402 mode): an ordinary payment by QR code for an unknown
 * payer, on one channel, and a token that proves it. Every visitor gets one, so the payment counts
 * against its seller's day only from its capture on; it is refused while that day has no room for
 * it. The token is shown only here. Nothing is stored if the channel makes no code.
 *
 * Fails as the creation of a payment does, with `FORBIDDEN` for the service of another seller, and
 * with `INVALID_REQUEST` for a deposit that is to give access for a time.
 */
export const openChallenge = Effect.fn("openChallenge")(function* (
  caller: Caller,
  input: OpenChallengeInput,
) {
  if (input.valid_seconds !== undefined && input.idle_seconds !== undefined) return yield* twoUses()
  const { service } = yield* findPayable(caller, input.service_id)
  if (service.account_id !== caller.account.id) return yield* foreign()
  return yield* challengePayment(caller, service, input, true)
})

/**
 * Begins the caller's own payment of a resource whose seller creates no challenges in advance
 * (x402): an ordinary payment by QR code within the caller's limits, and a token that proves it to
 * that seller only.
 *
 * Fails as the creation of a payment does.
 */
export const payForResource = Effect.fn("payForResource")(function* (
  caller: Caller,
  input: PayForResourceInput,
) {
  const { service } = yield* findPayable(caller, input.service_id)
  return yield* challengePayment(caller, service, input, false)
})
