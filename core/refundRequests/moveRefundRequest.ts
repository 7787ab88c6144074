import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { CommitPart } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { refundIntent } from "../refunds/createRefund.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { findVisibleRequest, onlyTheirs } from "./access.ts"
import { type RefundRequest, type RefundRequestMove, stepOf } from "./RefundRequest.ts"
import { refundRequestHappening } from "./RefundRequestEvent.ts"
import type { ApproveRefundRequestInput, DeclineRefundRequestInput } from "./RefundRequestInput.ts"
import { refundRequestView } from "./RefundRequestView.ts"

const decided = (id: string, status: RefundRequest["status"], action: RefundRequestMove["type"]) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `A refund request that is ${status} cannot be changed.`,
    details: { refund_request: id, status, action },
  })

/** Returns the request after a move, with the commit part of its write and its events. */
const moved = Effect.fnUntraced(function* (request: RefundRequest, move: RefundRequestMove) {
  const { expires_at, id, status } = request
  // It counts as expired before a worker has expired it.
  const isOver = status === "open" && move.type !== "expire" && expires_at <= move.at
  if (isOver) return yield* decided(id, "expired", move.type)
  const step = stepOf(request, move)
  if (Result.isFailure(step)) return yield* decided(id, status, move.type)
  const { emit, record } = step.success
  const ids = yield* Ids
  const part: CommitPart = {
    writes: [{ op: "replace", kind: "refund_request", record }],
    events: emit.flatMap((type) =>
      eventsFor(refundRequestHappening(record, type), ids, record.updated_at),
    ),
  }
  return { record, part }
})

const end = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  action: "decline" | "withdraw",
  moveAt: (at: Timestamp) => RefundRequestMove,
) {
  const request = yield* findVisibleRequest(caller, id)
  yield* onlyTheirs(caller, request, action)
  const { part, record } = yield* moved(request, moveAt(yield* Clock.currentTimeMillis))
  const view = refundRequestView(record)
  yield* (yield* Store).commit({ writes: [], ...part, ...(yield* replyWith(view)) })
  return view
})

/**
 * Declines a refund request, for its payee. The buyer is told why.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN`, and `INVALID_TRANSITION` for a request that has ended.
 */
export const declineRefundRequest = Effect.fn("declineRefundRequest")(
  (caller: Caller, id: string, { reason }: DeclineRefundRequestInput) =>
    retryConflict(end(caller, id, "decline", (at) => ({ type: "decline", at, reason }))),
)

/**
 * Withdraws a refund request, for its buyer. The payee is told.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN`, and `INVALID_TRANSITION` for a request that has ended.
 */
export const withdrawRefundRequest = Effect.fn("withdrawRefundRequest")(
  (caller: Caller, id: string) =>
    retryConflict(end(caller, id, "withdraw", (at) => ({ type: "withdraw", at }))),
)

/**
 * Makes the requested refund, or one of another amount, for the payee, and returns it. Request and
 * refund are one commit, so that a request is refunded once. The payee's rules for refunds apply.
 *
 * Fails with `NOT_FOUND`, with `INVALID_TRANSITION` for a request that has ended, and as
 * `refundIntent` does.
 */
export const approveRefundRequest = Effect.fn("approveRefundRequest")(function* (
  caller: Caller,
  id: string,
  { amount }: ApproveRefundRequestInput,
) {
  const asked = yield* findVisibleRequest(caller, id)
  yield* onlyTheirs(caller, asked, "approve")
  const { payment_intent, reason } = asked
  const input = { reason, amount: amount ?? asked.amount }
  return yield* refundIntent(caller, payment_intent, input, (refund, at) =>
    Effect.gen(function* () {
      const request = yield* findVisibleRequest(caller, id)
      const { part } = yield* moved(request, { type: "approve", at, refund })
      return part
    }),
  )
})

/** Expires a request that the payee has not decided in time. A worker has claimed it. */
export const expireRefundRequest = Effect.fn("expireRefundRequest")(function* (
  request: RefundRequest,
) {
  const at = yield* Clock.currentTimeMillis
  if (request.status !== "open" || at < request.expires_at) return
  const { part } = yield* moved(request, { type: "expire", at })
  yield* (yield* Store).commit({ writes: [], ...part })
})
