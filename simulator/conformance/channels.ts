import { Effect } from "effect"
import { type ChannelCall, Channels, type Charge } from "../../core/ports/Channels.ts"
import { type Check, check } from "./Check.ts"
import type { Fresh } from "./store.ts"

/** What the suite needs of a channel in its test mode, beside the adapter. */
export interface ChannelUnderTest {
  /** The channel's id. */
  readonly channel: string
  /** A currency that it takes, in which a charge of 500 minor units is possible. */
  readonly currency: string
  /** The payer's wallet authorizes a charge, as the channel's test mode lets one do it. */
  readonly authorize: (charge: Charge) => Effect.Effect<void>
  /** The time of the service, in milliseconds. */
  readonly now: () => number
}

const LIVES = 900_000

const makeCharge = (under: ChannelUnderTest, fresh: Fresh): Charge => ({
  channel: under.channel,
  out_trade_no: `pi_${fresh()}`,
  charge_id: `qr_${fresh()}`,
  amount: { currency: under.currency, value: 500 },
  description: "Conformance",
  expires_at: under.now() + LIVES,
})

const callOf = (
  charge: Charge,
  action: "capture" | "release" | "close" | "refund",
  fresh: Fresh,
): ChannelCall => ({
  number: `creq_${fresh()}`,
  action,
  channel: charge.channel,
  out_trade_no: charge.out_trade_no,
  charge_id: charge.charge_id,
  trade_no: null,
  amount: charge.amount,
  mandate: null,
})

const statusOf = (charge: Charge) =>
  Effect.gen(function* () {
    const answer = yield* (yield* Channels).query(charge)
    return answer.type === "known" ? answer.trade.status : answer.type
  })

/** A charge that the suite has made, unpaid or authorized. */
interface Charges<R> {
  readonly opened: Effect.Effect<Charge, unknown, R>
  readonly held: Effect.Effect<Charge, unknown, R>
}

const questions = (
  { channel }: ChannelUnderTest,
  { held, opened }: Charges<Channels>,
  fresh: Fresh,
): ReadonlyArray<Check<Channels>> => [
  check("a charge that was made is known and unpaid", function* (expect) {
    yield* expect.equal("its status", yield* statusOf(yield* opened), "unpaid")
  }),
  check("a charge that was authorized is held, for its amount", function* (expect) {
    const charge = yield* held
    const answer = yield* (yield* Channels).query(charge)
    yield* expect.equal("the answer", answer.type, "known")
    if (answer.type !== "known") return
    yield* expect.equal("its status", answer.trade.status, "held")
    yield* expect.equal("its amount", answer.trade.amount, charge.amount)
  }),
  check("a number that was never sent is not found", function* (expect) {
    const call = callOf(yield* opened, "capture", fresh)
    const answer = yield* (yield* Channels).ask(call)
    yield* expect.equal("the answer", answer.type, "not_found")
  }),
  check("a callback without a genuine signature is refused", function* (expect) {
    const charge = yield* opened
    const data = { out_trade_no: charge.out_trade_no, trade_status: "SUCCESS" }
    const body = new TextEncoder().encode(JSON.stringify(data))
    const read = (yield* Channels).readCallback(channel, body, "0".repeat(64))
    const failure = yield* Effect.flip(read)
    yield* expect.that(
      `It was refused with ${failure.code}.`,
      ["webhook_signature_invalid", "INVALID_JSON", "INVALID_REQUEST"].includes(failure.code),
    )
  }),
]

const moves = ({ held }: Charges<Channels>, fresh: Fresh): ReadonlyArray<Check<Channels>> => [
  check("a capture has one effect, however often its number is sent", function* (expect) {
    const channels = yield* Channels
    const charge = yield* held
    const call = callOf(charge, "capture", fresh)
    const first = yield* channels.call(call)
    yield* expect.that(`It was ${first.type}.`, ["done", "pending"].includes(first.type))
    const again = yield* channels.call(call)
    yield* expect.equal("the second answer", again.type, first.type)
    const asked = yield* channels.ask(call)
    yield* expect.equal("the answer to a question", asked.type, first.type)
    const paid = ["paid", "settled"].includes(yield* statusOf(charge))
    yield* expect.that("The money was not taken.", paid)
  }),
  check("what was released is not captured", function* (expect) {
    const channels = yield* Channels
    const charge = yield* held
    const released = yield* channels.call(callOf(charge, "release", fresh))
    yield* expect.equal("the release", released.type, "done")
    const captured = yield* channels.call(callOf(charge, "capture", fresh))
    yield* expect.equal("the capture", captured.type, "refused")
    yield* expect.equal("its status", yield* statusOf(charge), "closed")
  }),
  check("no more goes back than was taken", function* (expect) {
    const channels = yield* Channels
    const charge = yield* held
    yield* channels.call(callOf(charge, "capture", fresh))
    const first = yield* channels.call(callOf(charge, "refund", fresh))
    yield* expect.that(`It was ${first.type}.`, ["done", "pending"].includes(first.type))
    const second = yield* channels.call(callOf(charge, "refund", fresh))
    yield* expect.equal("the second refund", second.type, "refused")
  }),
]

/** What the core relies on in any `Channels`, for those who bring their own. */
export const channelConformance = (
  under: ChannelUnderTest,
  fresh: Fresh,
): ReadonlyArray<Check<Channels>> => {
  const opened = Effect.gen(function* () {
    const charge = makeCharge(under, fresh)
    yield* (yield* Channels).createQr(charge)
    return charge
  })
  const made = { opened, held: Effect.tap(opened, under.authorize) }
  return [...questions(under, made, fresh), ...moves(made, fresh)]
}
