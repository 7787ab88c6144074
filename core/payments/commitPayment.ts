import { Effect } from "effect"
import { type CommitPart, merge } from "../commits/CommitPart.ts"
import { spendWithin } from "../installs/spendWithin.ts"
import { reserve } from "../kyc/limits/Gate.ts"
import { withinDay } from "../kyc/limits/gatePayment.ts"
import { Store } from "../ports/Store.ts"
import type { IntentDraft } from "./draftIntent.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

/**
 * Stores the payment that a draft has become, with its place within its payer's daily limits and
 * its install's spend cap. One that has failed already takes none.
 *
 * Fails with `INSUFFICIENT_KYC` and `SPEND_CAP_EXCEEDED` where they have no room.
 */
export const commitPayment = Effect.fnUntraced(function* (
  { budget, install, intent, level, spender }: IntentDraft,
  { status }: Pick<PaymentIntent, "status">,
  ...parts: ReadonlyArray<CommitPart>
) {
  const store = yield* Store
  if (status === "failed") return yield* store.commit(merge(...parts))
  const { account_id, amount, spending } = intent
  const reservations = spending === null ? [] : reserve(level, spending)
  const commit = merge(...parts, { reservations })
  const within = withinDay(spender, amount, spending?.cents ?? 0)
  yield* install === undefined || budget === null
    ? within(store.commit(commit))
    : within(spendWithin(account_id, install, budget, commit))
})
