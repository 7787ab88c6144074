import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { Channel } from "../../../core/channels/Channel.ts"
import { journalsOf } from "../../../core/payments/IntentJournals.ts"
import { flawOf, type Journal, toPostings } from "../../../core/ledger/Posting.ts"
import { refundJournals } from "../../../core/refunds/RefundJournals.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { FEES, feesOf, settle } from "../../../core/pricing/Price.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import { begun, remaining, sharesOf, undone } from "../../../core/payments/Refunded.ts"
import { ONE } from "../../../core/shared/Rate.ts"
import { id, intentIn, refundIn, T0, uuid } from "../../support/records.ts"

/** The number of histories; the full test plays 1,000,000. */
const HISTORIES = Number(process.env["PAYPORT_TEST_HISTORIES"] ?? 2_000)

const CODES = Object.keys(defaultRates.per_dollar)

/** A channel with the payer's and the payee's currencies. */
interface Way {
  readonly channel: Channel
  readonly from: string
  readonly to: string
}

/** Every channel of the catalog with every pair of currencies that can be paid by it. */
const WAYS: ReadonlyArray<Way> = defaultCatalog.flatMap((channel) =>
  CODES.filter(
    (from) => channel.currencies === "every" || channel.currencies.includes(from),
  ).flatMap((from) => CODES.map((to) => ({ channel, from, to }))),
)

const history = fc.record({
  amount: fc.oneof(
    fc.integer({ min: 1, max: 1_000 }),
    fc.integer({ min: 1, max: 100_000_000 }),
    fc.integer({ min: 1, max: 1_000_000_000_000 }),
  ),
  ending: fc.constantFrom("succeeded", "failed", "captured"),
  settlesAfter: fc.nat({ max: 6 }),
  steps: fc.array(
    fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), confirmed: fc.boolean() }),
    { maxLength: 6 },
  ),
})

type History = typeof history extends fc.Arbitrary<infer H> ? H : never

/** A captured payment; undefined if it is refused because its settlement cannot be computed. */
const payment = ({ channel, from, to }: Way, value: number): PaymentIntent | undefined => {
  const amount = { currency: from, value }
  const method = "one_time"
  const settled = settle({
    amount,
    settlement_currency: to,
    method,
    channel,
    usdToPayer: defaultRates.per_dollar[from] ?? ONE,
    usdToSettlement: defaultRates.per_dollar[to] ?? ONE,
    currencies,
    fees: FEES,
  })
  if (Result.isFailure(settled)) return undefined
  const { settlement } = settled.success
  const priced = { method, currency: from, settled: settled.success, channel } as const
  const fees = feesOf({ ...priced, fees: FEES })
  return intentIn("captured", { amount, settlement, fees, channel: channel.id })
}

/** Plays a history: refunds begin, then end in order, and the payment ends somewhere between. */
const play = (paid: PaymentIntent, said: History) => {
  let intent = paid
  const journals: Array<Journal> = [...journalsOf(undefined, intent)]
  let given = 0
  const ended = { succeeded: 0, failed: 0 }
  const open: Array<{ readonly refund: Refund; readonly confirmed: boolean }> = []
  const end = () => {
    if (said.ending === "captured" || intent.status !== "captured") return
    const after = { ...intentIn(said.ending), ...intent, ...endedAs(said.ending) } as PaymentIntent
    journals.push(...journalsOf(intent, after))
    intent = after
  }
  const conclude = () => {
    const next = open.shift()
    if (next === undefined) return
    const { confirmed, refund } = next
    const status = confirmed ? "succeeded" : "failed"
    const record = { ...refundIn(status), ...refund, status } as Refund
    journals.push(...refundJournals(record, intent.status === "failed"))
    ended[status] += 1
    if (confirmed) given += refund.amount.value
    else intent = { ...intent, refunded: undone(intent.refunded, refund) }
  }
  for (const [n, { confirmed, part }] of said.steps.entries()) {
    if (n === said.settlesAfter) end()
    const left = remaining(intent)
    if (left > 0 && intent.status !== "failed") {
      const shares = sharesOf(intent, Math.max(1, Math.floor(left * part)))
      const refund = { ...refundIn("pending", { n: n + 1 }), ...shares }
      journals.push(...refundJournals(refund, false))
      intent = { ...intent, refunded: begun(intent.refunded, shares) }
      open.push({ refund, confirmed })
    }
    if (n % 2 === 1) conclude()
  }
  end()
  while (open.length > 0) conclude()
  return { intent, journals, given, ended }
}

const endedAs = (status: "succeeded" | "failed") =>
  status === "failed" ? { status, captured_at: T0 + 3_000 } : { status }

const totals = (journals: ReadonlyArray<Journal>) => {
  const sums = new Map<string, number>()
  for (const { currency, amount, ledger_account } of journals.flatMap(({ lines }) => lines)) {
    const name = `${ledger_account} ${currency}`
    sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  return (account: string, currency: string) => sums.get(`${account} ${currency}`) ?? 0
}

const count = (journals: ReadonlyArray<Journal>, wanted: Journal["kind"]): number =>
  journals.filter(({ kind }) => kind === wanted).length

/** Plays a history and holds the books against it. */
const check = (way: Way, said: History) => {
  const paid = payment(way, said.amount)
  if (paid === undefined) return
  const { ended, given, intent, journals } = play(paid, said)
  let n = 0
  expect(flawOf(toPostings(journals, () => uuid(++n), T0))).toBeUndefined()
  const sum = totals(journals)
  const { amount, fees, refunded, settlement } = intent
  const lost = intent.status === "failed"
  expect(count(journals, "refund_succeeded"), "refunds that went out").toBe(ended.succeeded)
  expect(count(journals, "refund_failed"), "refunds that did not").toBe(ended.failed)
  expect(refunded.value, "what the payment says").toBe(given)
  expect(sum("refunds", settlement.currency), "nothing stays aside").toBe(0)
  const held = lost ? 0 : amount.value - given
  expect(sum("channel_clearing", amount.currency), "what the channel holds").toBe(held)
  const open = intent.status === "captured" ? amount.value : 0
  expect(sum("payer_clearing", amount.currency), "what is not settled").toBe(-open || 0)
  const owed = lost
    ? 0
    : (intent.status === "succeeded" ? settlement.value : 0) - refunded.settlement
  expect(sum("merchant_wallet", settlement.currency), "what is owed").toBe(-owed || 0)
  const charged = intent.status === "succeeded" ? (fees?.service.value ?? 0) : 0
  const kept = lost ? 0 : charged - refunded.service_fee
  expect(sum("service_fees", settlement.currency), "the fee").toBe(-kept || 0)
  const network = intent.status === "succeeded" ? (fees?.channel.value ?? 0) : 0
  expect(sum("channel_fees", settlement.currency), "the network's fee").toBe(-network || 0)
  if (lost || (intent.status === "succeeded" && given === amount.value)) {
    for (const currency of [amount.currency, settlement.currency]) {
      expect(sum("fx", currency)).toBe(0)
      expect(sum("fx_spread", currency)).toBe(0)
    }
  }
}

/** The kinds and rows of a refund of 200 that is over, from an exchange or without one. */
const rowsOf = (status: "succeeded" | "failed", paymentLost: boolean, exchanged: boolean) => {
  const shares = {
    settlement: { currency: "JPY", value: 300 },
    fx_spread: { currency: "JPY", value: 2 },
    service_fee: { currency: "JPY", value: 1 },
  }
  const refund = refundIn(status, exchanged ? shares : {})
  return refundJournals(refund, paymentLost).map(({ kind, lines }) => [
    kind,
    ...lines.map((line) => `${line.ledger_account} ${line.amount} ${line.currency}`),
  ])
}

const PAID = [
  ["refund_succeeded", "refunds 200 USD", "channel_clearing -200 USD"],
  ["fees_refunded", "service_fees 1 USD", "fees_due -1 USD"],
]
const BACK = ["refund_failed", "merchant_wallet -200 USD", "refunds 200 USD"]
const LOST = [
  "settlement_failed",
  "payer_clearing -200 USD",
  "merchant_wallet 200 USD",
  "fees_due -1 USD",
  "service_fees 1 USD",
  "channel_clearing -200 USD",
  "payer_clearing 200 USD",
]

describe("what the end of a refund posts", () => {
  it.each([
    ["succeeded", false, PAID],
    ["succeeded", true, PAID],
    ["failed", false, [BACK]],
    ["failed", true, [BACK, LOST]],
  ] as const)("%s, its payment lost: %s", (status, paymentLost, expected) => {
    expect(rowsOf(status, paymentLost, false)).toStrictEqual(expected)
  })

  it("is the exchange's reverse too where its payment was lost", () => {
    expect(rowsOf("failed", true, true)).toStrictEqual([
      ["refund_failed", "merchant_wallet -300 JPY", "refunds 300 JPY"],
      [
        "settlement_failed",
        "payer_clearing -200 USD",
        "fx 200 USD",
        "fx -302 JPY",
        "fx_spread 2 JPY",
        "merchant_wallet 300 JPY",
        "fees_due -1 JPY",
        "service_fees 1 JPY",
        "channel_clearing -200 USD",
        "payer_clearing 200 USD",
      ],
    ])
  })
})

describe("what a payment and its refunds post", () => {
  it(`conserves money on all ${WAYS.length} ways to pay`, { timeout: 60_000 }, () => {
    expect(new Set(WAYS.map(({ channel }) => channel.id)).size).toBe(defaultCatalog.length)
    expect(new Set(WAYS.map(({ from, to }) => `${from} ${to}`)).size).toBe(CODES.length ** 2)
    const histories = fc.sample(history, { numRuns: WAYS.length, seed: 1 })
    for (const [n, way] of WAYS.entries()) {
      const said = histories[n]
      if (said !== undefined) check(way, said)
    }
  })

  it("conserves money over any history", { timeout: 3_600_000 }, () => {
    fc.assert(fc.property(fc.constantFrom(...WAYS), history, check), { numRuns: HISTORIES })
  })

  it("names the refund and its payment on every row", () => {
    const [reserved] = refundJournals(refundIn("pending"), false)
    expect(reserved).toMatchObject({
      kind: "refund_reserved",
      refund: id("ref", 1),
      payment_intent: id("pi", 1),
      channel: "wallet_a",
    })
  })
})
