import { Clock, Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { hold } from "../../accounts/Holding.ts"
import { withinPlan } from "../../accounts/withinPlan.ts"
import type { Commit } from "../../commits/Commit.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { ContactRules } from "../../ports/ContactRules.ts"
import { Ids } from "../../ports/Ids.ts"
import { IdentityVerifier, type CheckOutcome } from "../../ports/IdentityVerifier.ts"
import { Store } from "../../ports/Store.ts"
import { CurrentDeadline } from "../../shared/CurrentDeadline.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { allowancesOf, spendCode } from "./allowances.ts"
import { checkIdentity } from "./checkIdentity.ts"
import { type Decided, moveVerification, pass, refuse } from "./decideVerification.ts"
import { ownAgent } from "../agents/ownAgent.ts"
import { showVerification } from "./ownVerification.ts"
import { sealPersonal } from "./sealedData.ts"
import { cannotSendCodes, deliverCode, makeChallenge } from "./sendCode.ts"
import {
  credentialsOf,
  documentsMissing,
  readSubmission,
  type Submission,
  type VerifyInput,
} from "./Submission.ts"
import { RETENTION, type Verification } from "./Verification.ts"
import { FIRST_RETRY } from "./VerificationMachine.ts"

/** Returns the channels that confirm the payer's credentials. */
const confirmed = Effect.fnUntraced(function* ({ agent_id, credentials }: Submission) {
  const verifier = yield* IdentityVerifier
  const asked = credentialsOf(credentials)
  const answers = yield* Effect.forEach(
    asked,
    (said) => verifier.confirmsCredential({ ...said, agent_id }),
    { concurrency: 2 },
  )
  return asked.filter((_, n) => answers[n]).map(({ channel }) => channel)
})

/** What storing a submission needs of its request's time, in milliseconds. */
const STORING = 2_000

const tooLong: CheckOutcome = {
  type: "unavailable",
  message: "The checks take longer than a request.",
}

/**
 * Makes the checks within the request's time. Slow ones are left to a worker, which has enough: a
 * submission that is not stored in time would have to be made again, as slow as before.
 */
const checkWithinRequest = Effect.fnUntraced(function* (id: string, data: Submission["data"]) {
  const { left } = yield* CurrentDeadline
  const within = left() - STORING
  const checking = checkIdentity(id, data)
  if (within === Infinity) return yield* checking
  const orElse = () => Effect.succeed(tooLong)
  return yield* Effect.timeoutOrElse(checking, { duration: Math.max(within, 0), orElse })
})

/** How a submission continues, as decided before it is stored. */
type Course =
  | Exclude<CheckOutcome, { readonly type: "unavailable" }>
  | { readonly type: "asks_for_code" }
  | { readonly type: "waits"; readonly retry: boolean }

const courseOf = Effect.fnUntraced(function* (
  id: string,
  { data, level }: Submission,
  vouchedFor: boolean,
) {
  const passed: Course = { type: "passed" }
  if (level === "anonymous" || (level === "basic" && vouchedFor)) return passed
  if (level === "business") return { type: "waits", retry: false } satisfies Course
  if (level === "enhanced") {
    const outcome = yield* checkWithinRequest(id, data)
    if (outcome.type !== "unavailable") return outcome satisfies Course
    yield* Effect.logWarning(
      "The identity verifier is unavailable. The check will be retried.",
    ).pipe(Effect.annotateLogs({ verification: id, reason: outcome.message }))
    return { type: "waits", retry: true } satisfies Course
  }
  yield* cannotSendCodes()
  return { type: "asks_for_code" } satisfies Course
})

type Unsubmitted = Extract<Verification, { readonly status: "unverified" }>

/** Submits the verification. A code is counted before it is sent. */
const submit = Effect.fnUntraced(function* (
  verification: Unsubmitted,
  submission: Submission,
  course: Course,
  at: Timestamp,
) {
  const submitted = (retry_at: Timestamp | null) =>
    ({ type: "submitted", challenge: null, retry_at, at }) as const
  if (course.type !== "asks_for_code") {
    const retries = course.type === "waits" && course.retry
    const pending = yield* moveVerification(
      verification,
      submitted(retries ? at + FIRST_RETRY : null),
    )
    return { pending, code: null, writes: [] }
  }
  const allowances = yield* allowancesOf(verification.agent, submission.data)
  const writes = yield* spendCode(allowances)
  const first = { number: 1, attempts: 0, allowances }
  const { challenge, code } = yield* makeChallenge(verification.id, first, at)
  const pending = yield* moveVerification(verification, {
    ...submitted(at + FIRST_RETRY),
    challenge,
  })
  return { pending, code, writes }
})

const decide = (pending: Verification, course: Course, at: Timestamp) => {
  if (course.type === "passed") return pass(pending, at)
  if (course.type === "failed") return refuse(pending, course.rejection, at)
  return Effect.succeed<Decided>({
    verification: pending,
    writes: [],
    reservations: [],
    events: [],
  })
}

/**
 * Submits what an agent of the caller's account is to be verified by (KYC/KYB, POST
 * /v1/kyc/verify). Returns the verification as `pending`, or `rejected` where a check has failed.
 *
 * Fails with `validation_error`, `OTP_RATE_LIMITED`, `PLAN_LIMIT_EXCEEDED` and, where the
 * installation cannot send codes, `TEMPORARILY_UNAVAILABLE`.
 */
export const submitVerification = Effect.fn("submitVerification")(function* (
  caller: Caller,
  input: VerifyInput,
) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const submission = yield* Effect.fromResult(readSubmission(input, yield* ContactRules, now))
  const agent = yield* ownAgent(caller, submission.agent_id)
  const channels = yield* confirmed(submission)
  const needsDocuments = submission.level === "business" || channels.length === 0
  const flaw = needsDocuments ? documentsMissing(submission) : undefined
  if (flaw !== undefined) return yield* flaw

  const id = `kyc_${(yield* Ids).uuid()}`
  const course = yield* courseOf(id, submission, channels.length > 0)
  const { agent_id, credentials, data, level } = submission
  const sealed = yield* sealPersonal(id, { data, credentials })

  const stored = yield* retryConflict(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const verification: Unsubmitted = {
        status: "unverified",
        id,
        version: 1,
        account_id: caller.account.id,
        agent_id,
        agent,
        level,
        sealed,
        confirmed_channels: channels,
        created_at: at,
        updated_at: at,
        keep_until: at + RETENTION,
        due_at: null,
      }
      const { code, pending, writes } = yield* submit(verification, submission, course, at)
      const decided = yield* decide(pending, course, at)
      const rejected = decided.verification.status === "rejected"
      const shown = rejected ? decided.verification : pending
      const view = yield* showVerification(shown)
      const outcome: Commit = {
        writes: [
          { op: "insert", kind: "verification", record: decided.verification },
          ...decided.writes,
          ...writes,
        ],
        events: decided.events,
        reservations: [...decided.reservations, hold(caller.account, "verifications")],
        ...(yield* replyWith(view)),
      }
      yield* store.commit(outcome).pipe(withinPlan(caller.account, "verifications"))
      return { code, pending, view }
    }),
  )
  if (stored.code !== null && stored.pending.status === "pending") {
    // The challenge is stored; the worker retries if sending cannot be recorded now.
    yield* Effect.ignore(deliverCode(stored.pending, data, stored.code))
  }
  return stored.view
})
