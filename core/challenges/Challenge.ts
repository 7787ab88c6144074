import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { equals, type Money } from "../shared/Money.ts"
import { DAY, HOUR, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long an unpaid challenge is remembered after its payment's time is over. */
export const UNPAID_KEPT = HOUR

/** How long a payment proves something to a seller who has not been shown it. */
export const PROOF_LIFETIME = 90 * DAY

/** How long a purchase under an identifier may be asked for again. */
export const REPEATABLE = HOUR

/** How long a used proof is distinguished from an unknown one. */
export const USED_KEPT = 30 * DAY

/**
 * What a paid endpoint has asked of somebody (HTTP 402 mode): a payment, and what it opens once it
 * is paid to whoever knows the token. Only the token's hash is kept.
 */
export interface Challenge {
  /** `chl_` and the UUID of its payment. */
  readonly id: string
  readonly version: number
  /** The seller's account, which is the payee's. */
  readonly account_id: string
  readonly payment_intent: string
  readonly service_id: string
  readonly amount: Money
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** Lower-case hex SHA-256 of the token. */
  readonly token_hash: string
  /** So long a proof opens the resource from its first use on; null for a single use. */
  readonly valid_seconds: number | null
  /**
   * What the client calls its purchase, so that it is made once (x402, `payment-identifier`); null
   * until a proof that is worth something is shown under one. Its seller has no other under it.
   */
  readonly payment_identifier: string | null
  /** When the proof was first accepted; null until then. */
  readonly redeemed_at: Timestamp | null
  readonly created_at: Timestamp
  /** When its payment expires. */
  readonly expires_at: Timestamp
  /** So many seconds after the last draw its session ends; null where its seller did not say. */
  readonly idle_seconds: number | null
  /** What was drawn of it as a deposit, in minor units; null where nothing was. */
  readonly drawn: number | null
  /** When its session was closed. */
  readonly closed_at: Timestamp | null
  /** The refund of what was left of a closed session; null where nothing was left. */
  readonly rest_refund: string | null
  /** When a worker looks whether its session has ended, or it can be forgotten. */
  readonly due_at: Timestamp | null
}

/** The identifier of a payment's challenge. */
export const challengeId = (paymentIntent: string): string => `chl_${paymentIntent.slice(3)}`

/** The proof that a client sends to a paid endpoint. */
export interface Presented {
  readonly service_id: string
  readonly amount: Money
  readonly resource: string
}

/** Which of the things that a proof is bound to is another; undefined when it is good for all. */
export const mismatch = (challenge: Challenge, presented: Presented): string | undefined =>
  challenge.service_id !== presented.service_id
    ? "service_id"
    : !equals(challenge.amount, presented.amount)
      ? "amount"
      : challenge.resource !== presented.resource
        ? "resource"
        : undefined

/**
 * What the identifier that a proof is shown under says of it: `none` where there is no identifier,
 * `first` where the challenge had none, `same` and `other` where it has.
 */
export const identification = (
  { payment_identifier }: Challenge,
  shown: string | undefined,
): "none" | "first" | "same" | "other" =>
  shown === undefined
    ? "none"
    : payment_identifier === null
      ? "first"
      : payment_identifier === shown
        ? "same"
        : "other"

/** Until when an accepted proof opens its resource; null for one that is used up by its use. */
export const validUntil = ({ redeemed_at, valid_seconds }: Challenge): Timestamp | null =>
  redeemed_at === null || valid_seconds === null ? null : redeemed_at + valid_seconds * SECOND

/**
 * What a proof is worth before its payment is looked at: `unused`; `open` within its time after the
 * first use; `used` otherwise.
 */
export const useOf = (challenge: Challenge, now: Timestamp): "unused" | "open" | "used" => {
  if (challenge.redeemed_at === null) return "unused"
  const until = validUntil(challenge)
  return until !== null && now < until ? "open" : "used"
}

/** Whether a used proof is the purchase that it was, asked for again under its identifier. */
export const isRepetition = (
  challenge: Challenge,
  shown: string | undefined,
  now: Timestamp,
): boolean =>
  challenge.redeemed_at !== null &&
  now < challenge.redeemed_at + REPEATABLE &&
  identification(challenge, shown) === "same"

/** How a seller who takes x402 has a proof settled. */
export interface SettleTerms {
  /** Whether a settled one is answered again. */
  readonly repeated: boolean
  /** How many seconds after its payment began a proof is accepted first; at any time without it. */
  readonly within?: number | undefined
  /**
   * How much of the payment is taken, in minor units, and the rest released: 0 releases all of it.
   * Without it, all is taken.
   */
  readonly takes?: number | undefined
}

/** Whether a proof that nobody has accepted comes after the time that its seller gives. */
export const isLate = (
  { created_at, redeemed_at }: Challenge,
  within: number | undefined,
  now: Timestamp,
): boolean => redeemed_at === null && within !== undefined && now > created_at + within * SECOND

/** A challenge whose proof was accepted. */
export type Redeemed = Challenge & { readonly redeemed_at: Timestamp }

/** The challenge after its proof was accepted for the first time. */
export const redeemed = (challenge: Challenge, now: Timestamp): Redeemed => {
  const accepted = { ...challenge, redeemed_at: now }
  return { ...accepted, due_at: (validUntil(accepted) ?? now) + USED_KEPT }
}

/**
 * How the payment of a challenge stands: `paid`; `authorized`, to be captured first; `unresolved`
 * while its capture is under way or unknown; `unpaid` while it still can be paid; `ended` without
 * money; `returned` when all of it was given back.
 */
export type PaymentStanding = "paid" | "authorized" | "unresolved" | "unpaid" | "ended" | "returned"

const STANDINGS: { readonly [S in PaymentIntent["status"]]: PaymentStanding } = {
  pending: "unpaid",
  qr_generated: "unpaid",
  scanning: "unpaid",
  authorized: "authorized",
  capturing: "unresolved",
  debiting: "unresolved",
  captured: "paid",
  succeeded: "paid",
  completed: "paid",
  failed: "ended",
  expired: "ended",
  cancelled: "ended",
  voided: "ended",
}

/** See {@link PaymentStanding}. */
export const standingOf = (intent: PaymentIntent): PaymentStanding => {
  const standing = STANDINGS[intent.status]
  return standing === "paid" && remaining(intent) === 0 ? "returned" : standing
}

/**
 * What a worker does with a challenge that is due and no open session: null to forget it, else
 * when to look again. An unpaid one goes once its payment has ended, a used one when its time is
 * over, and a paid one that nobody has shown when it is too old to be shown.
 */
export const keepUntil = (
  challenge: Challenge,
  standing: PaymentStanding | undefined,
  now: Timestamp,
): Timestamp | null => {
  const { created_at, redeemed_at } = challenge
  const until =
    redeemed_at !== null
      ? (validUntil(challenge) ?? redeemed_at) + USED_KEPT
      : standing === "paid" || standing === "authorized"
        ? created_at + PROOF_LIFETIME
        : standing === "unpaid" || standing === "unresolved"
          ? now + HOUR
          : now
  return until > now ? until : null
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly challenge: Challenge
  }
}

/** How challenges are kept. */
export const challengeKind = defineKind("challenge", {
  prefix: "chl",
  erased: true,
  unique: [{ by: ["payment_identifier", "account_id"] }],
  dueAt: ownDueAt,
})
