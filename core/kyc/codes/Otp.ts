import { Failure } from "../../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"

/** How long a code can be answered (Limits, OTP). */
export const CODE_LIFETIME = 10 * MINUTE

/** So many answers to one code are looked at. */
export const MOST_ATTEMPTS = 5

/** How long an agent waits after it has used them up. */
export const LOCK = 15 * MINUTE

const DIGITS = 6

/** A code of {@link DIGITS} digits made of a random hash, in lower-case hex. */
export const codeOf = (randomHex: string): string =>
  String(Number.parseInt(randomHex.slice(0, 12), 16) % 10 ** DIGITS).padStart(DIGITS, "0")

/** What a code's keyed hash is made of: the same code of another verification is another text. */
export const codeText = (verificationId: string, number: number, code: string): string =>
  `otp ${verificationId} ${number} ${code}`

/** The question that a verification waits for the answer of. */
export interface Challenge {
  /** Which of the verification's codes it is, from 1. */
  readonly number: number
  /** A keyed hash of the code. */
  readonly code_hash: string
  readonly expires_at: Timestamp
  /** How many answers were looked at. */
  readonly attempts: number
  /** The allowances that its codes are counted in, the agent's first. */
  readonly allowances: ReadonlyArray<string>
}

/** What becomes of an answer. */
export type OtpVerdict =
  | { readonly type: "right" }
  | { readonly type: "wrong"; readonly left: number }
  /** There is nothing to answer, or no longer. */
  | { readonly type: "over" }

/** Judges an answer at `at`; `matches` compares it with the stored hash. */
export const judgeOtp = (
  challenge: Challenge | null,
  at: Timestamp,
  matches: (codeHash: string) => boolean,
): OtpVerdict => {
  if (challenge === null || at >= challenge.expires_at || challenge.attempts >= MOST_ATTEMPTS) {
    return { type: "over" }
  }
  return matches(challenge.code_hash)
    ? { type: "right" }
    : { type: "wrong", left: MOST_ATTEMPTS - challenge.attempts - 1 }
}

/** Refuses an answer (Errors, `invalid_otp`). `wait` is in milliseconds. */
export const invalidOtp = (message: string, left: number, wait: number) => {
  const seconds = Math.ceil(wait / SECOND)
  return new Failure({
    code: "invalid_otp",
    message,
    details: { attempts_remaining: left, retry_after_seconds: seconds },
    ...(seconds > 0 && { retry_after: seconds }),
  })
}
