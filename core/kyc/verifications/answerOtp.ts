import { Clock, Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { allowanceId, lockWait, locked } from "../codes/Allowance.ts"
import { allowanceWrite, findAllowance } from "./allowances.ts"
import { pass, storing } from "./decideVerification.ts"
import { codeText, invalidOtp, judgeOtp, LOCK } from "../codes/Otp.ts"
import { findVerification, showVerification } from "./ownVerification.ts"
import { type OtpAnswer, readOtpAnswer, type VerifyInput } from "./Submission.ts"
import { cannot, type Verification } from "./Verification.ts"

const over = () =>
  invalidOtp("The code was used or is no longer valid. Submit the data again for a new one.", 0, 0)

const tooSoon = (wait: number) =>
  invalidOtp("There were too many wrong codes. Wait, and submit the data again.", 0, wait)

const wrong = (left: number) => invalidOtp("This is not the code that was sent.", left, 0)

/** Returns the challenge, and a constant-time comparison of the answer's hash with a stored one. */
const comparison = Effect.fnUntraced(function* (verification: Verification, otp: string) {
  const { equal, fingerprint } = yield* Vault
  const challenge = verification.status === "pending" ? verification.challenge : null
  const given = fingerprint(codeText(verification.id, challenge?.number ?? 0, otp))
  return { challenge, matches: (hash: string): boolean => equal(hash, given) }
})

/**
 * Counts a wrong answer; the last one locks the agent. The caller learns the result only after the
 * count is stored, so that concurrent answers are counted one by one.
 */
const countWrong = Effect.fnUntraced(function* (
  verification: Extract<Verification, { readonly status: "pending" }>,
  left: number,
  at: Timestamp,
  agent: Effect.Success<ReturnType<typeof findAllowance>>,
) {
  const { challenge } = verification
  if (challenge === null) return yield* over()
  const counted = { ...challenge, attempts: challenge.attempts + 1 }
  const updated_at = Math.max(at, verification.created_at)
  yield* (yield* Store).commit({
    writes: [
      {
        op: "replace",
        kind: "verification",
        record: { ...verification, challenge: counted, updated_at },
      },
      ...(left > 0 ? [] : [allowanceWrite(agent.found, locked(agent.allowance, at))]),
    ],
  })
  return yield* left > 0 ? wrong(left) : tooSoon(LOCK)
})

const answer = Effect.fnUntraced(function* (caller: Caller, { otp, verification_id }: OtpAnswer) {
  const verification = yield* findVerification(verification_id, caller.account.id)
  if (verification.level !== "basic") return yield* cannot(verification, "answered with a code")
  const at = yield* Clock.currentTimeMillis
  const { fingerprint } = yield* Vault
  const agent = yield* findAllowance(allowanceId("agent", verification.agent, fingerprint))
  const wait = lockWait(agent.allowance, at)
  if (wait > 0) return yield* tooSoon(wait)
  const { challenge, matches } = yield* comparison(verification, otp)
  const verdict = judgeOtp(challenge, at, matches)
  if (verdict.type === "over" || verification.status !== "pending") return yield* over()
  if (verdict.type === "wrong") return yield* countWrong(verification, verdict.left, at, agent)
  const decided = yield* pass(verification, at)
  const view = yield* showVerification(decided.verification)
  yield* (yield* Store).commit({ ...storing(decided), ...(yield* replyWith(view)) })
  return view
})

/**
 * Checks the answer to the code of a verification of the caller's account (KYC/KYB, POST
 * /v1/kyc/verify). Five answers to a code are checked, also when they arrive at the same time; then
 * the agent is locked for a while.
 */
export const answerOtp = Effect.fn("answerOtp")(function* (caller: Caller, input: VerifyInput) {
  const said = yield* Effect.fromResult(readOtpAnswer(input))
  return yield* retryConflict(answer(caller, said))
})
