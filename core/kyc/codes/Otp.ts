import { Failure } from "../../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"

/** How long a code can be answered, in milliseconds (Limits, OTP). */
export const CODE_LIFETIME = 10 * MINUTE

/** The most answers to one code that are checked. */
export const MOST_ATTEMPTS = 5

/** How long an agent is locked after its last attempt, in milliseconds. */
export const LOCK = 15 * MINUTE

const DIGITS = 6

/** Derives a code of {@link DIGITS} digits from a random hash in lower-case hex. */
export const codeOf = (randomHex: string): string =>
  String(Number.parseInt(randomHex.slice(0, 12), 16) % 10 ** DIGITS).padStart(DIGITS, "0")

/** Returns the text to hash for a code. The text differs between verifications. */
export const codeText = (verificationId: string, number: number, code: string): string =>
  `otp ${verificationId} ${number} ${code}`

/** The code that a pending verification waits for. */
export interface Challenge {
  /** The number of the code within its verification, from 1. */
  readonly number: number
  /** A keyed hash of the code. */
  readonly code_hash: string
  readonly expires_at: Timestamp
  /** How many answers were checked. */
  readonly attempts: number
  /** The allowances that count its codes, the agent's first. */
  readonly allowances: ReadonlyArray<string>
}

/** The result of checking an answer. */
export type OtpVerdict =
  | { readonly type: "right" }
  | { readonly type: "wrong"; readonly left: number }
  /** There is no code to answer, or it has expired or been used up. */
  | { readonly type: "over" }

/** Checks an answer at `at`; `matches` compares it with the stored hash. */
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

/** Makes the failure of an answer (Errors, `invalid_otp`). `wait` is in milliseconds. */
export const invalidOtp = (message: string, left: number, wait: number) => {
  const seconds = Math.ceil(wait / SECOND)
  return new Failure({
    code: "invalid_otp",
    message,
    details: { attempts_remaining: left, retry_after_seconds: seconds },
    ...(seconds > 0 && { retry_after: seconds }),
  })
}
