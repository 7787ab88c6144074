import type { RequestPayment } from "../payments/PaymentIntent.ts"
import type { Money } from "../shared/Money.ts"
import { toIso } from "../shared/Timestamp.ts"
import { type Challenge, validUntil } from "./Challenge.ts"

/** A challenge as its seller sees it, once: the token is never shown again. */
export interface ChallengeView {
  /** What the 402's body holds. */
  readonly payment_intent: {
    readonly id: string
    readonly amount: Money
    readonly channel: string
    readonly qr_uri: string
    readonly expires_at: string
    /** The secret that proves the payment. */
    readonly token: string
  }
  readonly service_id: string
  readonly resource: string
  readonly valid_seconds: number | null
  readonly payee: RequestPayment["payee"]
  /** Where the payment is made: `payport:sandbox` or `payport:live`. */
  readonly network: string
}

/** The link that a wallet pays by. */
export const payLink = (id: string, channel: string): string =>
  `svc://pay/${id}?channel=${encodeURIComponent(channel)}`

/** See {@link ChallengeView}. */
export const challengeView = (
  challenge: Challenge,
  { payee }: RequestPayment,
  channel: string,
  token: string,
  mode: string,
): ChallengeView => ({
  payment_intent: {
    id: challenge.payment_intent,
    amount: challenge.amount,
    channel,
    qr_uri: payLink(challenge.payment_intent, channel),
    expires_at: toIso(challenge.expires_at),
    token,
  },
  service_id: challenge.service_id,
  resource: challenge.resource,
  valid_seconds: challenge.valid_seconds,
  payee,
  network: `payport:${mode}`,
})

/** An accepted proof as its seller sees it; `valid_until` is null after a single use. */
export interface RedemptionView {
  readonly payment_intent: string
  readonly resource: string
  readonly redeemed_at: string
  readonly valid_until: string | null
}

/** See {@link RedemptionView}. */
export const redemptionView = (challenge: Challenge & { readonly redeemed_at: number }) => {
  const until = validUntil(challenge)
  return {
    payment_intent: challenge.payment_intent,
    resource: challenge.resource,
    redeemed_at: toIso(challenge.redeemed_at),
    valid_until: until === null ? null : toIso(until),
  } satisfies RedemptionView
}
