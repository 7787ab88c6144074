import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { answerOtp } from "./answerOtp.ts"
import { isOtpAnswer, type VerifyInput } from "./Submission.ts"
import { submitVerification } from "./submitVerification.ts"

/** Handles both shapes of `POST /v1/kyc/verify`: a submission, or the answer to a code. */
export const verify = Effect.fnUntraced(function* (caller: Caller, input: VerifyInput) {
  return isOtpAnswer(input)
    ? yield* answerOtp(caller, input)
    : yield* submitVerification(caller, input)
})
