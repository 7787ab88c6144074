import { Clock, Effect, Option } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { find } from "../channels/Channel.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { findVisible } from "../payments/access.ts"
import { asOf } from "../payments/Lifecycle.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { checkRefund } from "../refunds/RefundRules.ts"
import { Failure } from "../shared/Failure.ts"
import { toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { DECIDED_WITHIN, type RefundRequest } from "./RefundRequest.ts"
import { refundRequestHappening } from "./RefundRequestEvent.ts"
import type { CreateRefundRequestInput } from "./RefundRequestInput.ts"
import { refundRequestView } from "./RefundRequestView.ts"

const ownMoney = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "You are the payee of this payment. Refund it with POST /v1/refunds instead.",
  })

const stillOpen = ({ expires_at, id, payment_intent }: RefundRequest) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message:
      `The refund request ${id} of this payment is open, and the payee has until ` +
      `${toIso(expires_at)} to decide. Withdraw it before you make another request.`,
    details: { refund_request: id, payment_intent, status: "open" },
  })

/** Returns the requested amount after checking that it could be refunded now. */
const refundable = Effect.fnUntraced(function* (
  stored: PaymentIntent,
  amount: CreateRefundRequestInput["amount"],
  now: number,
) {
  const intent = asOf(stored, now)
  const { catalog } = yield* Installation
  const channel = intent.channel === null ? undefined : find(catalog, intent.channel)
  const value = yield* Effect.fromResult(checkRefund(intent, amount, channel, now))
  return { currency: intent.amount.currency, value }
})

/** Returns the minor units that a request without an amount asks for; undefined if refused. */
export const wholeRefund = Effect.fnUntraced(function* (caller: Caller, payment_intent: string) {
  const intent = yield* findVisible(caller, payment_intent)
  const now = yield* Clock.currentTimeMillis
  const whole = yield* Effect.option(refundable(intent, undefined, now))
  return Option.getOrUndefined(whole)?.value
})

const create = Effect.fnUntraced(function* (caller: Caller, input: CreateRefundRequestInput) {
  const intent = yield* findVisible(caller, input.payment_intent)
  const { id: payment_intent, payee_account_id, service_id } = intent
  if (payee_account_id === caller.account.id) return yield* ownMoney()
  const store = yield* Store
  const earlier = yield* store.findBy("refund_request", { payment_intent })
  if (earlier !== undefined) return yield* stillOpen(earlier)
  const now = yield* Clock.currentTimeMillis
  const amount = yield* refundable(intent, input.amount, now)
  const ids = yield* Ids
  const record: RefundRequest = {
    id: `rr_${ids.uuid()}`,
    version: 1,
    payment_intent,
    account_id: caller.account.id,
    payee_account_id,
    service_id,
    amount,
    reason: input.reason,
    status: "open",
    created_at: now,
    updated_at: now,
    expires_at: now + DECIDED_WITHIN,
    due_at: now + DECIDED_WITHIN,
  }
  const view = refundRequestView(record)
  yield* store.commit({
    writes: [{ op: "insert", kind: "refund_request", record }],
    events: eventsFor(refundRequestHappening(record, "refund.requested"), ids, now),
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Asks the payee for a refund of a payment; without an amount, of all that is left. The payee is
 * told and has seven days to decide. A payment has one open request at a time.
 *
 * Fails with `NOT_FOUND`, with `FORBIDDEN` for the payee, with `INVALID_TRANSITION` while another
 * request is open, and as a refund of that amount would fail now.
 */
export const createRefundRequest = Effect.fn("createRefundRequest")(
  (caller: Caller, input: CreateRefundRequestInput) => retryConflict(create(caller, input)),
)
