import { Effect } from "effect"
import { Channels } from "../../../../core/ports/Channels.ts"
import { expect } from "../expect.ts"
import {
  callFor,
  captured,
  carriedOut,
  type ChannelCheck,
  type ChannelTestMode,
  done,
  draftCharge,
  held,
  opened,
  statusOf,
  tradeOf,
} from "./probe.ts"

/** Some channels know a charge only after its payer's first action. */
const UNPAID: ReadonlyArray<unknown> = ["unpaid", undefined]

const byLink = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check("a charge by link is paid at once by its payer", () =>
    Effect.gen(function* () {
      const channels = yield* Channels
      const [other, charge] = [draftCharge(mode), draftCharge(mode)]
      for (const made of [other, charge, charge]) yield* channels.createDeepLink(made)
      expect(UNPAID).toContain(yield* statusOf(charge))
      yield* done(() => mode.pay(charge, "link"))
      expect(["paid", "settled"]).toContain(yield* statusOf(charge))
      expect(yield* tradeOf(charge)).toMatchObject({
        out_trade_no: charge.out_trade_no,
        amount: charge.amount,
        refunded: 0,
      })
    }),
  )

/** Checks how charges are made and inquired about. */
export const charges = (mode: ChannelTestMode) => (check: ChannelCheck) =>
  check.group("charges", () => {
    check("a channel that answers is up", () =>
      Effect.gen(function* () {
        expect(yield* (yield* Channels).health(mode.channel)).toBe("up")
      }),
    )

    check("a QR code holds something to scan, the same for the same charge", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        const charge = draftCharge(mode)
        const { qr_data } = yield* channels.createQr(charge)
        expect(qr_data).toMatch(/\S/)
        expect(yield* channels.createQr(charge)).toStrictEqual({ qr_data })
        const other = yield* channels.createQr(draftCharge(mode))
        expect(other.qr_data).not.toBe(qr_data)
      }),
    )

    check("a charge by QR code moves no money until its payer authorizes it", () =>
      Effect.gen(function* () {
        const charge = yield* opened(mode)
        expect(UNPAID).toContain(yield* statusOf(charge))
        yield* done(() => mode.pay(charge, "qr"))
        expect(yield* tradeOf(charge)).toMatchObject({
          out_trade_no: charge.out_trade_no,
          amount: charge.amount,
          refunded: 0,
          status: "held",
        })
      }),
    )

    check("a charge by QR code that is asked for again stays as its payer has left it", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        // It may refuse as well: the charge is there.
        yield* Effect.ignore((yield* Channels).createQr(charge))
        expect(yield* statusOf(charge)).toBe("held")
      }),
    )

    if (mode.links !== false) byLink(mode)(check)

    check("a charge that was never made is not found, or unpaid", () =>
      Effect.gen(function* () {
        yield* held(mode)
        const charge = draftCharge(mode)
        expect(UNPAID).toContain(yield* statusOf(charge))
        expect(yield* (yield* Channels).call(callFor(charge, "capture"))).toMatchObject({
          type: "refused",
        })
      }),
    )

    check("each charge is known by itself", () =>
      Effect.gen(function* () {
        const [first, second, third] = [
          yield* held(mode),
          yield* captured(mode),
          yield* opened(mode),
        ]
        expect(yield* tradeOf(first)).toMatchObject({ out_trade_no: first.out_trade_no })
        expect(yield* statusOf(first)).toBe("held")
        expect(yield* tradeOf(second)).toMatchObject({ out_trade_no: second.out_trade_no })
        expect(["paid", "settled"]).toContain(yield* statusOf(second))
        expect(UNPAID).toContain(yield* statusOf(third))
      }),
    )

    check("who authorized a charge is the payer that its trade names", () =>
      Effect.gen(function* () {
        const channels = yield* Channels
        const charge = yield* held(mode)
        const trade = yield* tradeOf(charge)
        const payer = trade !== undefined && "payer" in trade ? trade.payer : undefined
        const named = yield* channels.payerOf(mode.channel, charge.out_trade_no)
        if (payer !== undefined) expect(named).toStrictEqual(payer)
        const nobody = yield* channels.payerOf(mode.channel, draftCharge(mode).out_trade_no)
        expect(nobody).toBeUndefined()
      }),
    )

    check("a trade has one number from its authorization to its refund", () =>
      Effect.gen(function* () {
        const charge = yield* held(mode)
        const trade_no = (yield* tradeOf(charge))?.trade_no
        expect(trade_no).toMatch(/\S/)
        const capture = yield* carriedOut(mode, callFor(charge, "capture"))
        expect(capture).toMatchObject({ trade_no })
        const refund = { ...callFor(charge, "refund"), trade_no: trade_no ?? null }
        yield* carriedOut(mode, refund)
        expect((yield* tradeOf(charge))?.trade_no).toBe(trade_no)
      }),
    )
  })
