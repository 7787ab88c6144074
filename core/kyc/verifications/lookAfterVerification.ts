import { Clock, Effect } from "effect"
import { letGo } from "../../accounts/Holding.ts"
import { decideAlone } from "../../audit/approveTwice.ts"
import type { Reservation } from "../../commits/Commit.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store } from "../../ports/Store.ts"
import { HOUR, MINUTE, type Timestamp } from "../../shared/Timestamp.ts"
import { eventsFor } from "../../webhooks/events/Event.ts"
import { spendCode } from "./allowances.ts"
import { checkIdentity } from "./checkIdentity.ts"
import { expire, pass, refuse, storing } from "./decideVerification.ts"
import { expiringEvent } from "./KycEvent.ts"
import { openPersonal } from "./sealedData.ts"
import { deliverCode, makeChallenge } from "./sendCode.ts"
import {
  erased,
  RETENTION,
  scheduled,
  type Verification,
  type VerificationIn,
} from "./Verification.ts"
import { FIRST_RETRY } from "./VerificationMachine.ts"

/** Waits in milliseconds for an authority that does not answer, per try; the last one repeats. */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR]

const waitAfter = (tries: number): number => WAITS[Math.min(tries, WAITS.length - 1)] ?? HOUR

const put = Effect.fnUntraced(function* (
  verification: Verification,
  reservations: ReadonlyArray<Reservation> = [],
) {
  const record = scheduled(verification)
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "verification", record }],
    reservations,
  })
})

/**
 * Sends a new code in place of one that may not have been delivered. The new code is counted; where
 * no more may be sent, the lost code expires.
 */
const sendAgain = Effect.fnUntraced(function* (
  verification: VerificationIn<"pending">,
  at: Timestamp,
) {
  const { challenge, id } = verification
  if (challenge === null) return yield* put({ ...verification, retry_at: null })
  const writes = yield* spendCode(challenge.allowances).pipe(
    Effect.catchTag("Failure", () => Effect.succeed(undefined)),
  )
  if (writes === undefined) {
    yield* Effect.logWarning("A code could not be sent, and the limit of codes is reached.")
    return yield* put({ ...verification, retry_at: null })
  }
  const next = yield* makeChallenge(id, { ...challenge, number: challenge.number + 1 }, at)
  const { data } = yield* openPersonal(verification)
  const record = scheduled({
    ...verification,
    challenge: next.challenge,
    tries: verification.tries + 1,
    retry_at: at + FIRST_RETRY,
  })
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "verification", record }, ...writes],
  })
  yield* deliverCode({ ...verification, challenge: next.challenge }, data, next.code)
})

const checkAgain = Effect.fnUntraced(function* (
  verification: VerificationIn<"pending">,
  at: Timestamp,
) {
  const { data } = yield* openPersonal(verification)
  const outcome = yield* checkIdentity(verification.id, data)
  if (outcome.type === "unavailable") {
    const { tries } = verification
    const retry_at = at + waitAfter(tries)
    return yield* put({ ...verification, tries: tries + 1, retry_at })
  }
  const decided =
    outcome.type === "passed"
      ? yield* pass(verification, at)
      : yield* refuse(verification, outcome.rejection, at)
  const { keys } = yield* decideAlone(`${verification.id}:${verification.updated_at}`)
  yield* (yield* Store).commit({ ...storing(decided), keys })
})

const notice = Effect.fnUntraced(function* (
  verification: VerificationIn<"verified">,
  at: Timestamp,
) {
  const record = scheduled({ ...verification, noticed: true })
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "verification", record }],
    events: eventsFor(expiringEvent(verification), yield* Ids, at),
  })
})

/** Erases the submitted data, unless the account has submitted more since (Limits, retention). */
const erase = Effect.fnUntraced(function* (verification: Verification, at: Timestamp) {
  const { account_id } = verification
  const [latest] = yield* (yield* Store).list("verification", {
    by: { account_id },
    limit: 1,
  })
  const keep_until = (latest ?? verification).created_at + RETENTION
  if (keep_until > at) return yield* put({ ...verification, keep_until })
  yield* put(erased(verification), [letGo(account_id, "verifications")])
})

/**
 * Does what is due for a verification: sends, checks, announces its end, ends it or erases its
 * data.
 */
export const lookAfterVerification = Effect.fn("lookAfterVerification")(function* (
  verification: Verification,
) {
  const at = yield* Clock.currentTimeMillis
  if (verification.due_at === null || at < verification.due_at) return
  if (verification.sealed !== null && verification.keep_until <= at) {
    return yield* erase(verification, at)
  }
  if (verification.status === "pending") {
    return yield* verification.level === "enhanced"
      ? checkAgain(verification, at)
      : sendAgain(verification, at)
  }
  if (verification.status !== "verified" || verification.expires_at === null) return
  if (at < verification.expires_at) return yield* notice(verification, at)
  return yield* Effect.flatMap(expire(verification, at), (decided) =>
    Effect.flatMap(Store, (store) => store.commit(storing(decided))),
  )
})
