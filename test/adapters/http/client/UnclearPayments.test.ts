import { expect, onTestFinished, test, vi } from "vitest"
import { UnclearPayments } from "../../../../adapters/http/client/UnclearPayments.ts"

const PAST = "2020-01-01T00:00:00.000Z"
const FUTURE = "9999-01-01T00:00:00.000Z"

test("a payment that expires while the wallet makes it is asked for once more", () => {
  const unclear = new UnclearPayments<object>()
  const payment = {}
  unclear.keep("a", payment, PAST)
  expect(unclear.take("b")).toBeUndefined()
  expect(unclear.take("a")).toBe(payment)
  unclear.keep("a", payment, PAST)
  expect(unclear.take("a")).toBeUndefined()
})

test("that is once after it has expired, however often it was asked for before", () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const unclear = new UnclearPayments<object>()
  const payment = {}
  const keep = () => unclear.keep("a", payment, new Date(1_000).toISOString())
  for (const [askedAt, is] of [
    [0, payment],
    [999, payment],
    [1_000, payment],
    [1_001, undefined],
  ] as const) {
    keep()
    vi.setSystemTime(askedAt)
    expect(unclear.take("a")).toBe(is)
  }
})

test("one that can be paid is kept however often it was asked for, and the newest hundred", () => {
  const unclear = new UnclearPayments<object>()
  const payments = Array.from({ length: 101 }, (_, n) => ({ n }))
  for (const payment of payments) unclear.keep("a", payment, FUTURE)
  expect(unclear.take("a")).toBe(payments[1])
  unclear.keep("b", payments[1]!, FUTURE)
  expect(unclear.take("b")).toBe(payments[1])
  unclear.keep("b", payments[1]!, FUTURE)
  expect(unclear.take("b")).toBe(payments[1])
})
