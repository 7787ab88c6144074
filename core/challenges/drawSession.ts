import { Clock, Data, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/answerOnce.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { find } from "../channels/Channel.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { refundIntent } from "../refunds/createRefund.ts"
import { Failure } from "../shared/Failure.ts"
import { type Challenge, redeemed, standingOf } from "./Challenge.ts"
import {
  type CloseInput,
  drawCounter,
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
    message: `So much was drawn before: ${drawn} in all. Nothing more was drawn.`,
    details: { payment_intent, drawn },
  })

const skipped = ({ payment_intent }: Challenge, drawn: number) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message: `The next draw is the one after ${drawn}. Nothing was drawn.`,
    field: "spent",
    details: { payment_intent, drawn },
  })

/** The challenge of a session's deposit that can still be used, and what was drawn of it. */
const findSession = Effect.fnUntraced(function* (caller: Caller, id: string, proof: CloseInput) {
  const challenge = yield* findProven(caller, id, proof)
  const now = yield* Clock.currentTimeMillis
  if (isOver(challenge, now)) return yield* required(challenge, "expired", "The session is over.")
  const [drawn = 0] = yield* (yield* Store).readCounters([drawCounter(challenge)])
  // The first draw is what uses a deposit: one that was used without was bought something with.
  if (challenge.redeemed_at !== null && drawn === 0) return yield* usedUp(challenge)
  return { challenge, drawn, now }
})

type Found = Effect.Success<ReturnType<typeof findSession>>

/** What of a payment can be drawn, where the draw is the next one and it has so much left. */
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
      return yield* required(challenge, "exhausted", "The deposit has not so much left.")
    case "next":
      return kept
  }
})

/** Refuses a deposit at a channel that would not give the rest of it back. */
const checkRefunds = Effect.fnUntraced(function* ({ channel }: PaymentIntent) {
  const { catalog } = yield* Installation
  if (refundsRest(channel === null ? undefined : find(catalog, channel))) return
  return yield* new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `${channel ?? "The channel"} gives no part of a deposit back for thirty days, so nothing ` +
      "was taken: pay the deposit by another channel.",
    field: "channel",
  })
})

const draw = Effect.fnUntraced(function* (caller: Caller, id: string, input: DrawInput) {
  const before = yield* findSession(caller, id, input)
  const held = yield* readPayment(id)
  // A deposit is not taken for a draw that is refused afterwards.
  if (standingOf(held) === "authorized") {
    yield* checkDraw(before, input, held)
    yield* checkRefunds(held)
  }
  const intent = yield* findPaid(caller, id, { isLate: false, later: false })
  const session = yield* findSession(caller, id, input)
  const kept = yield* checkDraw(session, input, intent)
  const { challenge, now } = session
  const { price, spent } = input
  const { currency } = challenge.amount
  const view = {
    payment_intent: id,
    drawn: { currency, value: spent },
    left: { currency, value: kept - spent },
  }
  const opened = challenge.redeemed_at === null ? [redeemed(challenge, now)] : []
  yield* (yield* Store).commit({
    writes: opened.map((record) => ({ op: "replace", kind: "challenge", record })),
    guards: [{ kind: "payment_intent", id, version: intent.version }],
    // Counted up to just this sum: of two that draw it at once, one does.
    reservations: [{ counter: drawCounter(challenge), add: price, limit: spent }],
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Draws the price of a request from a deposit (MPP, intent `session`), on behalf of its seller. The
 * first draw takes the deposit's money. Draws are numbered by what was drawn with them in all, so
 * that each is made once, whoever asks how often at how many processes, and never over the deposit.
 *
 * Fails with `PAYMENT_PROOF_USED` for a draw that was made, with `PAYMENT_PROOF_INVALID` for what
 * proves no session, for a draw out of its turn, and for a deposit at a channel that refunds no
 * parts or not for long enough, with `PAYMENT_REQUIRED` where the deposit is
 * not paid, exhausted or given back, and as a redemption does.
 */
export const drawSession = Effect.fn("drawSession")(
  (caller: Caller, id: string, input: DrawInput) => retryConflict(draw(caller, id, input)),
)

/** Something was drawn while the rest was to be given back. */
class Drawn extends Data.TaggedError("Drawn")<object> {}

const ATTEMPTS = 12

const contended = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The session is being drawn from. Close it again in a second.",
    retry_after: 1,
  })

const close = Effect.fnUntraced(function* (caller: Caller, id: string, input: CloseInput) {
  const { challenge, drawn } = yield* findSession(caller, id, input)
  const standing = standingOf(yield* readPayment(id))
  if (challenge.redeemed_at === null && standing !== "paid" && standing !== "unresolved") {
    return yield* required(challenge, "unused", "Nothing was drawn, so nothing was taken.")
  }
  // Where nothing was drawn of what was taken, all of it goes back.
  const intent = yield* findPaid(caller, id, { isLate: false, later: false })
  const rest = remaining(intent) - drawn
  if (rest <= 0) return { payment_intent: id, refund: null }
  const { currency } = challenge.amount
  const counter = drawCounter(challenge)
  const asked = { amount: { currency, value: rest } }
  const refund = yield* refundIntent(caller, id, asked, () =>
    Effect.gen(function* () {
      const [now = 0] = yield* (yield* Store).readCounters([counter])
      if (now !== drawn) return yield* new Drawn()
      // What is given back counts as drawn, so that nothing can be drawn any more.
      return { reservations: [{ counter, add: rest, limit: drawn + rest }] }
    }),
  )
  return { payment_intent: id, refund: refund.id }
})

/** Closes by what was drawn at that moment, and again where something is drawn meanwhile. */
const closeWithin = (
  attempts: number,
  caller: Caller,
  id: string,
  input: CloseInput,
): ReturnType<typeof closing> =>
  Effect.catchTag(closing(caller, id, input), "Drawn", (error) =>
    attempts === 0 ? Effect.fail(error) : closeWithin(attempts - 1, caller, id, input),
  )

const closing = (caller: Caller, id: string, input: CloseInput) =>
  retryConflict(close(caller, id, input))

/**
 * Closes a session: the rest of its deposit is given back by a refund, and the same commit lets
 * nothing be drawn any more. Closed again it is answered without a refund. A refund that the
 * channel rejects leaves it closed; the seller gives back by another refund.
 *
 * Fails as a draw and as a refund do.
 */
export const closeSession = Effect.fn("closeSession")(
  (caller: Caller, id: string, input: CloseInput) =>
    Effect.catchTag(closeWithin(ATTEMPTS, caller, id, input), "Drawn", () => contended()),
)
