import { Effect } from "effect"
import {
  type ChannelRefusal,
  Channels,
  type StatementLine,
} from "../../../../core/ports/Channels.ts"
import { DAY, utcDay } from "../../../../core/shared/Timestamp.ts"
import { expect } from "../expect.ts"
import {
  AMOUNT,
  callFor,
  captured,
  carriedOut,
  type ChannelCheck,
  type ChannelTestMode,
  held,
  opened,
  paidByLink,
  timeOf,
} from "./probe.ts"

type Lines = ReadonlyArray<StatementLine>

/** Returns all lines of a day, from all pages. */
const linesOf = (
  channel: string,
  day: string,
  cursor: string | null = null,
): Effect.Effect<Lines, ChannelRefusal, Channels> =>
  Effect.gen(function* () {
    const { lines, next } = yield* (yield* Channels).statement(channel, day, cursor)
    if (next === null) return lines
    expect(typeof next, "what the next page is asked by").toBe("string")
    expect(next, "the next page").not.toBe(cursor)
    return [...lines, ...(yield* linesOf(channel, day, next))]
  })

/** Returns the lines about a payment, from the days on which the checks ran. */
const about = (mode: ChannelTestMode, from: number, outTradeNo: string) =>
  Effect.gen(function* () {
    const days = new Set([utcDay(from), utcDay(timeOf(mode))])
    const all = yield* Effect.forEach(days, (day) => linesOf(mode.channel, day))
    return all.flat().filter(({ out_trade_no }) => out_trade_no === outTradeNo)
  })

const byLink = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check("has a line for what was paid by link", () =>
    Effect.gen(function* () {
      const from = timeOf(mode)
      const charge = yield* paidByLink(mode)
      expect(yield* about(mode, from, charge.out_trade_no)).toMatchObject([
        { kind: "payment", amount: charge.amount },
      ])
    }),
  )

/** Checks the channel's statement of a day. */
export const statements = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check.group("a statement", () => {
    if (mode.parts === true) {
      check("has what was captured of a payment, and nothing of the rest", () =>
        Effect.gen(function* () {
          const from = timeOf(mode)
          const charge = yield* held(mode)
          yield* carriedOut(mode, callFor(charge, "capture", 200))
          const lines = yield* about(mode, from, charge.out_trade_no)
          expect(lines.map(({ amount, kind }) => [kind, amount.value])).toStrictEqual([
            ["payment", 200],
          ])
        }),
      )
    }

    check("has one line for what was taken, and one for each refund", () =>
      Effect.gen(function* () {
        const from = timeOf(mode)
        const charge = yield* captured(mode)
        const refund = callFor(charge, "refund", 200)
        yield* carriedOut(mode, refund)
        const lines = yield* about(mode, from, charge.out_trade_no)
        expect(lines).toHaveLength(2)
        expect(lines.find(({ kind }) => kind === "payment")).toMatchObject({
          amount: { currency: mode.currency, value: AMOUNT },
        })
        expect(lines.find(({ kind }) => kind === "refund")).toMatchObject({
          number: refund.number,
          amount: { currency: mode.currency, value: 200 },
        })
        for (const { at, status } of lines) {
          expect(at).toBeGreaterThanOrEqual(from - DAY)
          expect(["pending", "settled"]).toContain(status)
        }
      }),
    )

    if (mode.links !== false) byLink(mode)(check)

    check("has no line for what was not taken, nor on another day", () =>
      Effect.gen(function* () {
        const from = timeOf(mode)
        const [unpaid, authorized, released, taken] = [
          yield* opened(mode),
          yield* held(mode),
          yield* held(mode),
          yield* captured(mode),
        ]
        yield* carriedOut(mode, callFor(released, "release"))
        for (const { out_trade_no } of [unpaid, authorized, released]) {
          expect(yield* about(mode, from, out_trade_no)).toStrictEqual([])
        }
        expect(yield* about(mode, from, taken.out_trade_no)).toHaveLength(1)
        const before = yield* linesOf(mode.channel, utcDay(from - 3 * DAY))
        expect(
          before.filter(({ out_trade_no }) => out_trade_no === taken.out_trade_no),
        ).toHaveLength(0)
      }),
    )
  })
