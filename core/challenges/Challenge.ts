import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { takenValue } from "../payments/Taken.ts"
import { equals, type Money } from "../shared/Money.ts"
import { DAY, HOUR, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long an unpaid challenge is kept after its payment has expired. */
export const UNPAID_KEPT = HOUR

/** How long an unused payment proves anything to its seller. */
export const PROOF_LIFETIME = 90 * DAY

/** How long a purchase under an identifier may be repeated. */
export const REPEATABLE = HOUR

/** How long a used proof is distinguished from an unknown one. */
export const USED_KEPT = 30 * DAY

/**
 * The demand of a paid endpoint (HTTP 402 mode): a payment, and the resource that it opens for the
 * holder of the token. Only the token's hash is stored.
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
  /** How long a proof opens the resource after its first use; null for a single use. */
  readonly valid_seconds: number | null
  /**
   * The client's identifier of its purchase, so that it is made once (x402, `payment-identifier`);
   * null until a valid proof is shown under one. It is unique among the seller's challenges.
   */
  readonly payment_identifier: string | null
  /** When the proof was first accepted; null until then. */
  readonly redeemed_at: Timestamp | null
  readonly created_at: Timestamp
  /** When its payment expires. */
  readonly expires_at: Timestamp
  /** Seconds from the last draw to the end of its session; null for the default. */
  readonly idle_seconds: number | null
  /** What was drawn from it as a deposit, in minor units; null if nothing was. */
  readonly drawn: number | null
  /** When its session was closed. */
  readonly closed_at: Timestamp | null
  /** The first refund of the rest of a closed session; null if nothing was left. */
  readonly rest_refund: string | null
  /** When a worker checks whether its session has ended or it can be deleted. */
  readonly due_at: Timestamp | null
}

/** Returns the id of a payment's challenge. */
export const challengeId = (paymentIntent: string): string => `chl_${paymentIntent.slice(3)}`

/** The terms under which a client shows its proof to a paid endpoint. */
export interface Presented {
  readonly service_id: string
  readonly amount: Money
  readonly resource: string
}

/** Returns the first term that differs from the proof's; undefined if all match. */
export const mismatch = (challenge: Challenge, presented: Presented): string | undefined =>
  challenge.service_id !== presented.service_id
    ? "service_id"
    : !equals(challenge.amount, presented.amount)
      ? "amount"
      : challenge.resource !== presented.resource
        ? "resource"
        : undefined

/**
 * Compares a shown identifier with the challenge's: `none` without a shown one, `first` if the
 * challenge has none, otherwise `same` or `other`.
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

/** Returns until when an accepted proof opens its resource; null for a single use. */
export const validUntil = ({ redeemed_at, valid_seconds }: Challenge): Timestamp | null =>
  redeemed_at === null || valid_seconds === null ? null : redeemed_at + valid_seconds * SECOND

/** Returns whether the payment is the deposit of a session, which pays nothing else. */
export const isDeposit = ({ closed_at, drawn }: Challenge): boolean =>
  drawn !== null || closed_at !== null

/**
 * Returns the use of a proof, whatever its payment: `unused`, `open` within its time after the
 * first use, otherwise `used`. A deposit is used from its first draw on.
 */
export const useOf = (challenge: Challenge, now: Timestamp): "unused" | "open" | "used" => {
  if (isDeposit(challenge)) return "used"
  if (challenge.redeemed_at === null) return "unused"
  const until = validUntil(challenge)
  return until !== null && now < until ? "open" : "used"
}

/** Returns whether a used proof is shown again for the same purchase, under its identifier. */
export const isRepetition = (
  challenge: Challenge,
  shown: string | undefined,
  now: Timestamp,
): boolean =>
  challenge.redeemed_at !== null &&
  now < challenge.redeemed_at + REPEATABLE &&
  identification(challenge, shown) === "same"

/** How a seller who uses x402 wants a proof settled. */
export interface SettleTerms {
  /** Whether a settled proof is answered again. */
  readonly repeated: boolean
  /**
   * How many seconds after its payment began a proof may first be accepted; no limit without it.
   */
  readonly within?: number | undefined
  /**
   * How much of the payment is taken, in minor units. The rest is released. 0 releases all of it.
   * Without it, all is taken.
   */
  readonly takes?: number | undefined
}

/** Returns whether an unused proof comes after the time that its seller allows. */
export const isLate = (
  { created_at, redeemed_at }: Challenge,
  within: number | undefined,
  now: Timestamp,
): boolean => redeemed_at === null && within !== undefined && now > created_at + within * SECOND

/** A challenge whose proof was accepted. */
export type Redeemed = Challenge & { readonly redeemed_at: Timestamp }

/** Returns the challenge after its proof was accepted for the first time. */
export const redeemed = (challenge: Challenge, now: Timestamp): Redeemed => {
  const accepted = { ...challenge, redeemed_at: now }
  return { ...accepted, due_at: (validUntil(accepted) ?? now) + USED_KEPT }
}

/**
 * The state of a challenge's payment: `paid`; `authorized`, to be captured first; `unresolved`
 * while its capture is under way or unknown; `unpaid` while it can still be paid; `ended` without
 * money; `returned` if all of it was refunded.
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

/** Returns the state, see {@link PaymentStanding}. */
export const standingOf = (intent: PaymentIntent): PaymentStanding => {
  const standing = STANDINGS[intent.status]
  return standing === "paid" && remaining(intent) === 0 ? "returned" : standing
}

/**
 * Returns why a paid payment is not the price of what it is settled for: `given_back` if a part of
 * it was refunded or is being refunded, `taken_otherwise` if another amount was captured. `takes`
 * is the price in minor units, by default the whole payment.
 */
export const shortfallOf = (
  intent: PaymentIntent,
  takes: number = intent.amount.value,
): "given_back" | "taken_otherwise" | undefined => {
  if (standingOf(intent) !== "paid") return undefined
  if (intent.refunded.value > 0) return "given_back"
  return takenValue(intent) === takes ? undefined : "taken_otherwise"
}

/**
 * Returns when to check a due challenge without an open session again; null to delete it. An unpaid
 * one is deleted once its payment has ended, a used one once its time is over, and an unused paid
 * one once it is too old to be shown.
 */
export const keepUntil = (
  challenge: Challenge,
  standing: PaymentStanding | undefined,
  now: Timestamp,
): Timestamp | null => {
  const { closed_at, created_at, redeemed_at } = challenge
  const until =
    redeemed_at !== null
      ? (validUntil(challenge) ?? closed_at ?? redeemed_at) + USED_KEPT
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
