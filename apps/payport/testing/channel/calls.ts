import { Effect } from "effect"
import { Channels } from "../../../../core/ports/Channels.ts"
import { SECOND } from "../../../../core/shared/Timestamp.ts"
import { expect } from "../expect.ts"
import {
  AMOUNT,
  call,
  callFor,
  captured,
  carriedOut,
  type ChannelCheck,
  type ChannelTestMode,
  held,
  opened,
  statusOf,
  timeOf,
  tradeOf,
} from "./probe.ts"

const TAKEN: ReadonlyArray<unknown> = ["paid", "settled"]

/** How far the channel's clock and this one may differ. */
const APART = 300 * SECOND

const captures = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check.group("captures and releases", () => {
    check("a number that was never sent is not found", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        yield* call(callFor(charge, "capture"))
        const answer = yield* (yield* Channels).ask(callFor(charge, "capture"))
        expect(answer).toStrictEqual({ type: "not_found" })
      }),
    )

    check("each number has an answer of its own", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        const charge = yield* captured(mode)
        const refund = callFor(charge, "refund", 100)
        const refused = callFor(charge, "refund", AMOUNT)
        const first = yield* carriedOut(mode, refund)
        yield* call(refused)
        expect(yield* channels.ask(refund)).toStrictEqual(first)
        expect(yield* channels.ask(refused)).toMatchObject({ type: "refused" })
        expect(yield* channels.ask(callFor(charge, "refund"))).toStrictEqual({ type: "not_found" })
      }),
    )

    check("a capture has one effect, however often its number is sent", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        const capture = callFor(charge, "capture")
        const first = yield* carriedOut(mode, capture)
        if (first.type === "done") expect(Math.abs(first.at - timeOf(mode)) < APART).toBe(true)
        expect(yield* call(capture)).toStrictEqual(first)
        expect(yield* (yield* Channels).ask(capture)).toStrictEqual(first)
        expect(TAKEN).toContain(yield* statusOf(charge))
        expect(yield* call(callFor(charge, "capture"))).toMatchObject({ type: "refused" })
      }),
    )

    if (mode.parts === true) {
      check("a capture of a part takes so much and releases the rest", () =>
        Effect.gen(function* () {
          const charge = yield* held(mode)
          const capture = callFor(charge, "capture", 200)
          const first = yield* carriedOut(mode, capture)
          expect(yield* call(capture)).toStrictEqual(first)
          const part = { amount: { currency: mode.currency, value: 200 }, refunded: 0 }
          expect(yield* tradeOf(charge)).toMatchObject(part)
          expect(TAKEN).toContain(yield* statusOf(charge))
          expect(yield* call(callFor(charge, "capture", 300))).toMatchObject({ type: "refused" })
          expect(yield* call(callFor(charge, "refund", 201))).toMatchObject({ type: "refused" })
          yield* carriedOut(mode, callFor(charge, "refund", 200))
          expect(yield* tradeOf(charge)).toMatchObject({ refunded: 200 })
        }),
      )

      check("no more than is held is captured", () =>
        Effect.gen(function* () {
          const charge = yield* held(mode)
          const more = callFor(charge, "capture", AMOUNT + 1)
          expect(yield* call(more)).toMatchObject({ type: "refused" })
          expect(yield* statusOf(charge)).toBe("held")
        }),
      )
    }

    check("a number that is sent many times at once has one effect", () =>
      Effect.gen(function* () {
        const charge = yield* captured(mode)
        const refund = callFor(charge, "refund", 100)
        const sent = Array.from({ length: 8 }, () => call(refund))
        yield* Effect.all(sent, { concurrency: "unbounded" })
        yield* carriedOut(mode, refund)
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 100 })
      }),
    )

    check("what nobody has authorized is not captured", () =>
      Effect.gen(function* () {
        const charge = yield* opened(mode)
        expect(yield* call(callFor(charge, "capture"))).toMatchObject({ type: "refused" })
      }),
    )

    check("what was released is not captured", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        yield* carriedOut(mode, callFor(charge, "release"))
        expect(yield* statusOf(charge)).toBe("closed")
        expect(yield* call(callFor(charge, "capture"))).toMatchObject({ type: "refused" })
        expect(yield* statusOf(charge)).toBe("closed")
      }),
    )

    check("what was captured is not released", () =>
      Effect.gen(function* () {
        const charge = yield* captured(mode)
        expect(yield* call(callFor(charge, "release"))).toMatchObject({ type: "refused" })
        expect(TAKEN).toContain(yield* statusOf(charge))
      }),
    )

    check("a charge that was closed before anybody authorized it is captured never", () =>
      Effect.gen(function* () {
        const charge = yield* opened(mode)
        yield* call(callFor(charge, "close"))
        expect(["closed", undefined]).toContain(yield* statusOf(charge))
        expect(yield* call(callFor(charge, "capture"))).toMatchObject({ type: "refused" })
      }),
    )

    check("closing takes nothing of what was captured", () =>
      Effect.gen(function* () {
        const charge = yield* captured(mode)
        expect(yield* call(callFor(charge, "close"))).toMatchObject({ type: "refused" })
        expect(TAKEN).toContain(yield* statusOf(charge))
      }),
    )
  })

const refunds = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check.group("refunds", () => {
    check("goes back in parts, and no more than was taken", () =>
      Effect.gen(function* () {
        const charge = yield* captured(mode)
        yield* carriedOut(mode, callFor(charge, "refund", 200))
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 200, amount: charge.amount })
        const over = callFor(charge, "refund", AMOUNT - 199)
        expect(yield* call(over)).toMatchObject({ type: "refused" })
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 200 })
        yield* carriedOut(mode, callFor(charge, "refund", AMOUNT - 200))
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: AMOUNT })
        expect(yield* call(callFor(charge, "refund", 1))).toMatchObject({ type: "refused" })
      }),
    )

    check("has one effect, however often its number is sent", () =>
      Effect.gen(function* () {
        const charge = yield* captured(mode)
        const refund = callFor(charge, "refund", 150)
        const first = yield* carriedOut(mode, refund)
        expect(yield* call(refund)).toStrictEqual(first)
        expect(yield* (yield* Channels).ask(refund)).toStrictEqual(first)
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 150 })
      }),
    )

    check("gives nothing back of what was not captured", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        expect(yield* call(callFor(charge, "refund"))).toMatchObject({ type: "refused" })
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 0, status: "held" })
      }),
    )

    check("refuses again under its number what it has refused", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        const early = callFor(charge, "refund")
        expect(yield* call(early)).toMatchObject({ type: "refused" })
        yield* carriedOut(mode, callFor(charge, "capture"))
        expect(yield* (yield* Channels).ask(early)).toMatchObject({ type: "refused" })
        expect(yield* tradeOf(charge)).toMatchObject({ refunded: 0 })
      }),
    )
  })

/** Checks the calls that move money, each once under its number. */
export const calls = (mode: ChannelTestMode) => (check: ChannelCheck) => {
  captures(mode)(check)
  refunds(mode)(check)
}
