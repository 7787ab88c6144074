import { expect, test } from "vitest"
import { formatTraceparent, parseTraceparent } from "../../../adapters/shared/Traceparent.ts"

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const SPAN = "00f067aa0ba902b7"
const zeros = (digits: number) => "0".repeat(digits)

test.each([
  [undefined, undefined],
  ["", undefined],
  [`00-${TRACE}-${SPAN}`, undefined],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
  [`00-${zeros(32)}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${zeros(16)}-01`, undefined],
  [`ff-${TRACE}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${SPAN}-01-more`, undefined],
  [`01-${TRACE}-${SPAN}-01more`, undefined],
  [`00-${TRACE}-${SPAN}-01\r\nX: y`, undefined],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`01-${TRACE}-${SPAN}-01-more`, true],
])("%s: sampled %s", (text, sampled) => {
  const parsed = sampled === undefined ? undefined : { traceId: TRACE, spanId: SPAN, sampled }
  expect(parseTraceparent(text)).toEqual(parsed)
})

test("what is written is what is read, and what is no part of a trace is not written", () => {
  const text = `00-${TRACE}-${SPAN}-01`
  expect(formatTraceparent(parseTraceparent(text)!)).toBe(text)
  expect(formatTraceparent({ traceId: "noop", spanId: "noop", sampled: false })).toBeUndefined()
})
