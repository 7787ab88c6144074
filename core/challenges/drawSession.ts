import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { find } from "../channels/Channel.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { toIso } from "../shared/Timestamp.ts"
import { type Challenge, standingOf } from "./Challenge.ts"
import {
  afterDraw,
  type CloseInput,
  type DrawInput,
  drawStanding,
  isOver,
  refundsRest,
} from "./PaymentSession.ts"
import { findPaid, findProven, readPayment, used as usedUp } from "./provenPayment.ts"

const required = ({ payment_intent }: Challenge, status: string, message: string) =>
  new Failure({ code: "PAYMENT_REQUIRED", message, details: { payment_intent, status } })

const used = ({ payment_intent }: Challenge, drawn: number) =>
  new Failure({
    code: "PAYMENT_PROOF_USED",
    message:
      `The field spent must be more than ${drawn}, the total drawn so far. ` +
      "Nothing more was drawn.",
    details: { payment_intent, drawn },
  })

const skipped = ({ payment_intent }: Challenge, drawn: number) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `The field spent must be ${drawn}, the total drawn so far, plus the price of one request. ` +
      "Nothing was drawn.",
    field: "spent",
    details: { payment_intent, drawn },
  })

/** Returns a deposit's challenge that can still be drawn from. */
const findSession = Effect.fnUntraced(function* (caller: Caller, id: string, proof: CloseInput) {
  const challenge = yield* findProven(caller, id, proof)
  const now = yield* Clock.currentTimeMillis
  const { closed_at, drawn, redeemed_at } = challenge
  if (closed_at !== null) return yield* required(challenge, "closed", "The session is closed.")
  if (isOver(challenge, now))
    return yield* required(challenge, "expired", "The session has expired.")
  // The first draw uses a deposit. A deposit used without a draw has bought something.
  if (redeemed_at !== null && drawn === null) return yield* usedUp(challenge)
  return { challenge, drawn: drawn ?? 0, now }
})

type Found = Effect.Success<ReturnType<typeof findSession>>

/** Returns what can be drawn of a payment. Fails if the draw is not the next or exceeds that. */
const checkDraw = Effect.fnUntraced(function* (
  { challenge, drawn }: Found,
  input: DrawInput,
  intent: PaymentIntent,
) {
  const kept = remaining(intent)
  switch (drawStanding(input, drawn, kept)) {
    case "used":
      return yield* used(challenge, drawn)
    case "skipped":
      return yield* skipped(challenge, drawn)
    case "exhausted":
      return yield* required(
        challenge,
        "exhausted",
        "The rest of the deposit is less than the price.",
      )
    case "next":
      return kept
  }
})

/** Rejects a deposit at a channel that would not refund the rest of it. */
const checkRefunds = Effect.fnUntraced(function* ({ channel }: PaymentIntent) {
  const { catalog } = yield* Installation
  if (refundsRest(channel === null ? undefined : find(catalog, channel))) return
  return yield* new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `${channel ?? "The channel"} makes no partial refunds for thirty days, so it cannot return ` +
      "the rest of a deposit. No money was taken. Pay the deposit by another channel.",
    field: "channel",
  })
})

const draw = Effect.fnUntraced(function* (caller: Caller, id: string, input: DrawInput) {
  const before = yield* findSession(caller, id, input)
  const held = yield* readPayment(id)
  // A deposit is not captured for a draw that would be refused afterwards.
  if (standingOf(held) === "authorized") {
    yield* checkDraw(before, input, held)
    yield* checkRefunds(held)
  }
  const intent = yield* findPaid(caller, id, { isLate: false, later: false })
  const session = yield* findSession(caller, id, input)
  const kept = yield* checkDraw(session, input, intent)
  const { challenge, now } = session
  const { spent } = input
  const { currency } = challenge.amount
  const record = afterDraw(challenge, spent, now)
  const view = {
    payment_intent: id,
    drawn: { currency, value: spent },
    left: { currency, value: kept - spent },
    closes_at: toIso(record.due_at),
  }
  yield* (yield* Store).commit({
    // Of two simultaneous draws of the same sum, one finds the challenge unchanged.
    writes: [{ op: "replace", kind: "challenge", record }],
    guards: [{ kind: "payment_intent", id, version: intent.version }],
    contended: true,
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Draws the price of a request from a deposit (MPP, intent `session`), on behalf of its seller. The
 * first draw captures the deposit. Draws are numbered by the total drawn including them. Therefore
 * each is made once, however often and at however many processes it is requested, and never exceeds
 * the deposit.
 *
 * Fails with `PAYMENT_PROOF_USED` for a draw that was made before; with `PAYMENT_PROOF_INVALID` for
 * a proof of no session, a draw out of turn, and a deposit at a channel that refunds no parts or
 * not for long enough; with `PAYMENT_REQUIRED` if the deposit is not paid, exhausted or refunded;
 * and as a redemption does.
 */
export const drawSession = Effect.fn("drawSession")(
  (caller: Caller, id: string, input: DrawInput) => retryConflict(draw(caller, id, input)),
)
