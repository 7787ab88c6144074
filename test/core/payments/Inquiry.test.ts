import { describe, expect, it } from "vitest"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { asksAfter, callbackOf, isLast, toClose } from "../../../core/payments/Inquiry.ts"
import { askAt, dueAt, type PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Trade, TradeAnswer } from "../../../core/ports/Channels.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { intentIn, oneTimeIn, T0 } from "../../support/records.ts"

const USD = { code: "USD", exponent: 2 }
const amount = { currency: "USD", value: 699 }

const trade = (status: Trade["status"], said: object = {}): Trade =>
  ({ out_trade_no: "pi_1", amount, refunded: 0, trade_no: "T1", status, ...said }) as Trade

const statusTold = (intent: PaymentIntent, of: Trade): TradeStatus | undefined =>
  callbackOf(intent, "wallet_a", of, USD)?.trade_status

describe("what a channel knows of a payment", () => {
  const closed = (reason: string) => trade("closed", { reason })
  const back = { refunded: 699 }
  it.each<[string, PaymentIntent, Trade, TradeStatus | undefined]>([
    ["an unpaid charge", intentIn("qr_generated"), trade("unpaid"), undefined],
    ["an unpaid charge of an ended one", intentIn("expired"), trade("unpaid"), undefined],
    ["a hold", intentIn("scanning"), trade("held"), "AUTHORIZED"],
    ["a hold of an ended one", intentIn("expired"), trade("held"), "AUTHORIZED"],
    ["a rejection", intentIn("scanning"), closed("REJECTED"), "REJECTED"],
    ["a closing", oneTimeIn("pending"), closed("CLOSED"), "CLOSED"],
    ["a lost settlement", intentIn("captured"), closed("SETTLEMENT_FAILED"), "SETTLEMENT_FAILED"],
    ["a paid link", oneTimeIn("pending"), trade("paid"), "SUCCESS"],
    ["our own capture under way", intentIn("capturing"), trade("paid"), undefined],
    ["our own capture", intentIn("captured"), trade("paid"), undefined],
    ["money of an ended one", intentIn("voided"), trade("paid"), "SUCCESS"],
    ["money that is back", intentIn("voided"), trade("paid", back), undefined],
    ["a settlement", intentIn("captured"), trade("settled"), "SUCCESS"],
    ["a settlement after refunds", intentIn("captured"), trade("settled", back), "SUCCESS"],
    ["a settlement of an ended one", intentIn("expired"), trade("settled"), "SUCCESS"],
    ["a settlement that is back", intentIn("expired"), trade("settled", back), undefined],
  ])("%s", (_name, intent, known, status) => {
    expect(statusTold(intent, known)).toBe(status)
  })

  it("is said as a callback says it, in major units", () => {
    const payer = { payer_id: "hum-1", wallet_id: "wal-1" }
    expect(callbackOf(intentIn("scanning"), "wallet_a", trade("held", { payer }), USD)).toEqual({
      channel: "wallet_a",
      out_trade_no: "pi_1",
      trade_no: "T1",
      total_amount: "6.99",
      trade_status: "AUTHORIZED",
      currency: "USD",
      ...payer,
    })
  })
})

describe("questions after answers", () => {
  const known: TradeAnswer = { type: "known", trade: trade("unpaid") }
  const silent: TradeAnswer = { type: "unknown", message: "It does not answer." }
  it.each<[string, PaymentIntent, ReadonlyArray<TradeAnswer>, number | null]>([
    ["end when every channel has told", intentIn("expired", { channel_asks: 2 }), [known], null],
    ["go on when none knows of it yet", intentIn("voided"), [{ type: "not_found" }], 1],
    [
      "end when none knows of it when asked again",
      intentIn("voided", { channel_asks: 1 }),
      [{ type: "not_found" }],
      null,
    ],
    ["go on while one is silent", intentIn("expired", { channel_asks: 2 }), [known, silent], 3],
    ["go on until it is settled", intentIn("captured", { channel_asks: 0 }), [known], 1],
    ["begin with the first", intentIn("captured"), [silent], 1],
  ])("%s", (_name, intent, answers, asks) => {
    const charge = { channel: "wallet_a", charge_id: "qr_1" }
    const told = answers.map((answer) => ({ charge, answer }))
    expect(asksAfter(intent, told)).toBe(asks)
  })
})

describe("what is closed after the last question", () => {
  const expired = intentIn("expired", { channel_asks: null })
  const notFound: TradeAnswer = { type: "not_found" }
  const debited: PaymentIntent = { ...oneTimeIn("expired"), deeplink: null }
  it.each<[string, PaymentIntent, TradeAnswer, number]>([
    ["an unpaid charge", expired, { type: "known", trade: trade("unpaid") }, 1],
    ["no charge that is paid", expired, { type: "known", trade: trade("paid") }, 0],
    ["one that is not known yet, and may be later", expired, notFound, 1],
    ["no debit that is not known", debited, notFound, 0],
    ["a link's charge that is not known", oneTimeIn("expired"), notFound, 1],
    ["none that is closed", expired, { type: "known", trade: trade("closed") }, 0],
    ["none of a channel that does not answer", expired, { type: "unknown", message: "" }, 0],
    [
      "none that is asked after again",
      { ...expired, channel_asks: 1 },
      { type: "known", trade: trade("unpaid") },
      0,
    ],
    ["none of a voided one", intentIn("voided"), { type: "known", trade: trade("unpaid") }, 0],
  ])("%s", (_name, intent, answer, count) => {
    const charge = { channel: "wallet_a", charge_id: "qr_1" }
    const closings = toClose(intent, [{ charge, answer }])
    expect(closings).toEqual(count === 0 ? [] : [{ action: "close", ...charge }])
  })
})

describe("the last answer about a charge", () => {
  const long = 15 * MINUTE + MINUTE + HOUR
  const known = (status: Trade["status"]): TradeAnswer => ({ type: "known", trade: trade(status) })
  it.each<[string, TradeAnswer, askedFor: number, boolean]>([
    ["is that it is held", known("held"), 0, true],
    ["is that it was paid", known("paid"), 0, true],
    ["is that it was settled", known("settled"), 0, true],
    ["is that it is closed", known("closed"), 0, true],
    ["is not that it is unpaid, which it may be no more", known("unpaid"), long - 1, false],
    ["is that it is unpaid when it was asked for long enough", known("unpaid"), long, true],
    ["is not that it is not known, which it may be by now", { type: "not_found" }, long - 1, false],
    ["is that it is not known after as long", { type: "not_found" }, long, true],
    ["is never silence", { type: "unknown", message: "It is away." }, 100 * DAY, false],
  ])("%s", (_name, answer, askedFor, expected) => {
    expect(isLast(answer, askedFor)).toBe(expected)
  })
})

describe("when a channel is asked", () => {
  const captured = (channel_asks: number | null) => intentIn("captured", { channel_asks })
  const from = (since: number) => (asks: number) => {
    const at = askAt(captured(asks))
    return at === null ? null : at - since
  }

  it("of captured money: at growing intervals, then daily for a month, then no more", () => {
    const waits = Array.from({ length: 38 }, (_, asks) => from(T0 + 3 * SECOND)(asks))
    const growing = [30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR]
    const daily = Array.from({ length: 30 }, (_, n) => (n + 1) * DAY)
    expect(waits).toEqual([...growing, ...daily, null, null])
  })

  const voided = (said: object) => intentIn("voided", { channel_asks: 0, ...said })
  const open = intentIn("qr_generated", { channel_asks: 0 })
  it.each<[string, PaymentIntent, number | null]>([
    ["of an unpaid one before it expires", open, open.expires_at - 30 * SECOND],
    ["of it once only", { ...open, channel_asks: 1 }, null],
    ["of a link too", oneTimeIn("pending", { channel_asks: 0 }), T0 + 5 * MINUTE - 30 * SECOND],
    ["of one that nobody pays any more", voided({}), T0 + MINUTE + 30 * SECOND],
    ["not where its own hold is being released", voided({ trade_no: "T1" }), null],
    ["not when every channel has told", voided({ channel_asks: null }), null],
    ["not while the payer's money is held", intentIn("authorized", { channel_asks: 0 }), null],
    ["not once it is settled", intentIn("succeeded", { channel_asks: 0 }), null],
  ])("%s", (_name, intent, at) => {
    expect(askAt(intent)).toBe(at)
  })

  it("an unpaid payment that was asked after is due when it expires", () => {
    expect(dueAt({ ...open, channel_asks: 1 })).toBe(open.expires_at)
    expect(dueAt(voided({ channel_asks: null }))).toBeNull()
  })
})
