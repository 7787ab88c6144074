import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { journalsOf } from "../../../core/ledger/IntentJournals.ts"
import { flawOf, type Journal, toPostings } from "../../../core/ledger/Posting.ts"
import { refundJournals } from "../../../core/ledger/RefundJournals.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { feesFrom } from "../../../core/pricing/Fees.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import { begun, remaining, sharesOf, undone } from "../../../core/refunds/Refunded.ts"
import { id, intentIn, refundIn, T0, uuid } from "../../support/records.ts"

/** How many histories are tried; the whole proof takes 1,000,000. */
const HISTORIES = Number(process.env["PAYPORT_TEST_HISTORIES"] ?? 2_000)

const money = fc.integer({ min: 1, max: 1_000_000_000_000 })

const history = fc.record({
  amount: money,
  settlement: money,
  exchange: fc.boolean(),
  spread: fc.integer({ min: 0, max: 1_000_000 }),
  ending: fc.constantFrom("succeeded", "failed", "captured"),
  settlesAfter: fc.nat({ max: 6 }),
  steps: fc.array(
    fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), confirmed: fc.boolean() }),
    { maxLength: 6 },
  ),
})

type History = typeof history extends fc.Arbitrary<infer H> ? H : never

const payment = ({ amount, exchange, settlement, spread }: History): PaymentIntent => {
  const currency = exchange ? "JPY" : "USD"
  const value = exchange ? settlement : amount
  const fees = feesFrom(currency, Math.floor(value / 200), exchange ? spread : 0, 7)
  return intentIn("captured", {
    amount: { currency: "USD", value: amount },
    settlement: { currency, value, rate: "1" },
    fees,
  })
}

/** Plays a history: refunds begin, then end in order, and the payment ends somewhere between. */
const play = (said: History) => {
  let intent = payment(said)
  const journals: Array<Journal> = [...journalsOf(undefined, intent)]
  const given = { value: 0, open: 0 }
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
    const ended = { ...refundIn(status), ...refund, status } as Refund
    journals.push(...refundJournals(ended, intent.status === "failed"))
    if (confirmed) given.value += refund.amount.value
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
  return { intent, journals, given: given.value }
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

describe("what a payment and its refunds post", () => {
  it("conserves money over any history", { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(history, (said) => {
        const { given, intent, journals } = play(said)
        let n = 0
        expect(flawOf(toPostings(journals, () => uuid(++n), T0))).toBeUndefined()
        const sum = totals(journals)
        const { amount, fees, refunded, settlement } = intent
        const lost = intent.status === "failed"
        expect(sum("refunds", settlement.currency), "nothing stays aside").toBe(0)
        const held = lost ? 0 : amount.value - given
        expect(sum("channel_clearing", "USD"), "what the channel holds").toBe(held)
        const paid = intent.status === "succeeded" ? settlement.value : 0
        const owed = lost ? 0 : paid - refunded.settlement
        expect(sum("merchant_wallet", settlement.currency), "what is owed").toBe(-owed || 0)
        const fee = fees?.service.value ?? 0
        const charged = intent.status === "succeeded" ? fee : 0
        const kept = lost ? 0 : charged - refunded.service_fee
        expect(sum("service_fees", settlement.currency), "the fee").toBe(-kept || 0)
        if (intent.status === "succeeded" && given === amount.value && said.exchange) {
          expect(sum("fx", "USD")).toBe(0)
          expect(sum("fx", "JPY")).toBe(0)
          expect(sum("fx_spread", "JPY")).toBe(0)
        }
      }),
      { numRuns: HISTORIES },
    )
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
