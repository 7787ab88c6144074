import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  begun,
  NOTHING_REFUNDED,
  type Refundable,
  remaining,
  type Shares,
  sharesOf,
  undone,
} from "../../../core/payments/Refunded.ts"

const payment = (value: number, settlement: number, fee: number | null): Refundable => ({
  amount: { currency: "USD", value },
  settlement: { currency: "JPY", value: settlement },
  fees:
    fee === null
      ? null
      : {
          service: { currency: "JPY", value: fee },
          fx_spread: { currency: "JPY", value: 2 * fee },
        },
  refunded: NOTHING_REFUNDED,
})

const refund = (of: Refundable, value: number): readonly [Refundable, Shares] => {
  const shares = sharesOf(of, value)
  return [{ ...of, refunded: begun(of.refunded, shares) }, shares]
}

describe("what a refund gives back", () => {
  it.each([
    {
      value: 699,
      of: payment(699, 104_321, 522),
      settlement: 104_321,
      fee: 522,
      spread: 1044,
      partial: false,
    },
    { value: 200, of: payment(699, 699, 3), settlement: 200, fee: 1, spread: 2, partial: true },
    { value: 1, of: payment(1000, 500, 3), settlement: 1, fee: 0, spread: 0, partial: true },
    { value: 3, of: payment(1000, 500, 3), settlement: 2, fee: 0, spread: 0, partial: true },
    { value: 500, of: payment(500, 500, null), settlement: 500, fee: 0, spread: 0, partial: false },
  ])(
    "of $value is $settlement and a fee of $fee",
    ({ fee, of, partial, settlement, spread, value }) => {
      expect(sharesOf(of, value)).toStrictEqual({
        amount: { currency: "USD", value },
        settlement: { currency: "JPY", value: settlement },
        fx_spread: { currency: "JPY", value: spread },
        service_fee: { currency: "JPY", value: fee },
        partial,
      })
    },
  )

  it("can get a fee of one back and give nothing of the settlement", () => {
    const [at] = refund(payment(1_000_000, 200, 1), 499_999)
    expect(at.refunded).toMatchObject({ settlement: 100, service_fee: 0 })
    const [, shares] = refund(at, 1)
    expect([shares.settlement.value, shares.service_fee.value]).toStrictEqual([0, 0])
    const [, two] = refund(at, 2)
    expect([two.settlement.value, two.service_fee.value]).toStrictEqual([1, 1])
  })

  it("leaves a settlement that is rounded down, from the first minor unit on", () => {
    const [one] = refund(payment(14, 1, null), 6)
    expect(one.refunded.settlement).toBe(1)
    const [rest, shares] = refund(one, 8)
    expect([rest.refunded.settlement, shares.settlement.value]).toStrictEqual([1, 0])
  })

  it("takes what rounding left over with the rest of the payment", () => {
    let at = payment(3, 100, 2)
    const shares: Array<readonly [number, number]> = []
    for (let n = 0; n < 3; n++) {
      const [next, part] = refund(at, 1)
      at = next
      shares.push([part.settlement.value, part.service_fee.value])
    }
    expect(shares).toStrictEqual([
      [34, 1],
      [33, 0],
      [33, 1],
    ])
    expect(at.refunded).toStrictEqual({
      value: 3,
      settlement: 100,
      fx_spread: 4,
      service_fee: 2,
      partials: 3,
    })
    expect(remaining(at)).toBe(0)
  })

  it("gives nothing twice when earlier refunds fail", () => {
    const [one, first] = refund(payment(1000, 4, null), 200)
    const [two] = refund(one, 75)
    const [three, third] = refund(two, 175)
    const [four] = refund(three, 75)
    const open = undone(undone(four.refunded, first), third)
    expect([four.refunded.settlement, open.settlement, open.value]).toStrictEqual([3, 2, 150])
    const [five, fifth] = refund({ ...four, refunded: open }, 50)
    expect(fifth.settlement.value).toBe(0)
    const [rest, last] = refund(five, 800)
    expect([last.settlement.value, rest.refunded.settlement]).toStrictEqual([2, 4])
  })

  it("adds up exactly over any history of refunds, some of which fail", () => {
    const rounds = Number(process.env["PAYPORT_TEST_HISTORIES"] ?? 2_000)
    const money = fc.integer({ min: 1, max: 1_000_000_000_000 })
    const step = fc.record({
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      fails: fc.boolean(),
    })
    fc.assert(
      fc.property(money, money, fc.array(step, { maxLength: 12 }), (value, settlement, steps) => {
        const fee = Math.floor(settlement / 200)
        let at = payment(value, settlement, fee)
        const open: Array<Shares> = []
        for (const { fails, part } of steps) {
          const left = remaining(at)
          if (left === 0) break
          const [next, shares] = refund(at, Math.max(1, Math.floor(left * part)))
          at = next
          open.push(shares)
          const dropped = fails ? open.shift() : undefined
          if (dropped !== undefined) at = { ...at, refunded: undone(at.refunded, dropped) }
          expect(shares.settlement.value).toBeGreaterThanOrEqual(0)
          expect(shares.service_fee.value).toBeGreaterThanOrEqual(0)
          expect(at.refunded.settlement).toBeLessThanOrEqual(settlement)
          expect(at.refunded.service_fee).toBeLessThanOrEqual(fee)
          expect(remaining(at)).toBeGreaterThanOrEqual(0)
        }
        const left = remaining(at)
        const [end] = left === 0 ? [at] : refund(at, left)
        const { partials: _, ...sums } = end.refunded
        expect(sums).toStrictEqual({ value, settlement, fx_spread: 2 * fee, service_fee: fee })
      }),
      { numRuns: rounds },
    )
  }, 600_000)
})
