import { Clock, Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Installation } from "../../ports/Installation.ts"
import { Store } from "../../ports/Store.ts"
import { notFound } from "../../shared/Failure.ts"
import { isId } from "../../shared/Id.ts"
import { openPersonal } from "./sealedData.ts"
import type { Verification } from "./Verification.ts"
import { verificationView } from "./VerificationView.ts"

/** Finds a verification by its id. With `accountId`, one of another account is not found. */
export const findVerification = Effect.fnUntraced(function* (id: string, accountId?: string) {
  if (!isId("kyc", id)) return yield* notFound("verification", id)
  const found = yield* (yield* Store).find("verification", id)
  if (found === undefined || (accountId !== undefined && found.account_id !== accountId)) {
    return yield* notFound("verification", id)
  }
  return found
})

/** Shows a verification to its account, as of now. */
export const showVerification = Effect.fnUntraced(function* (verification: Verification) {
  const installation = yield* Installation
  const { data } = yield* openPersonal(verification)
  return verificationView(verification, data, installation, yield* Clock.currentTimeMillis)
})

/** Shows a verification to the account that submitted it. */
export const getVerification = Effect.fn("getVerification")(function* (caller: Caller, id: string) {
  return yield* showVerification(yield* findVerification(id, caller.account.id))
})
