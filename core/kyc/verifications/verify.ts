import type { Caller } from "../../accounts/Account.ts"
import { answerOtp } from "./answerOtp.ts"
import { isOtpAnswer, type VerifyInput } from "./Submission.ts"
import { submitVerification } from "./submitVerification.ts"

/** Takes either shape of `POST /v1/kyc/verify`: what is to be verified, or the answer to a code. */
export const verify = (caller: Caller, input: VerifyInput) =>
  isOtpAnswer(input) ? answerOtp(caller, input) : submitVerification(caller, input)
