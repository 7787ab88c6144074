import { describe, expect, test } from "vitest"
import { captureOf } from "../../../apps/pages/console/views/captureDraft.ts"

const payment = { amount: { currency: "USD", value: 700 }, channel: "wallet_a" }
const part = (value: number) => ({ amount: { currency: "USD", value } })

describe("a capture that is typed", () => {
  test.each<[string, boolean | undefined, number, object, RegExp]>([
    ["the whole", true, 700, {}, /released, for good/],
    ["the whole, at a channel that captures no parts", false, 700, {}, /cannot capture a part/],
    ["a part", true, 250, part(250), /^The rest, 4\.50 USD, is released/],
    ["a cent", true, 1, part(1), /^The rest, 6\.99 USD/],
    ["a part, where nobody knows of the channel", undefined, 250, part(250), /^The rest/],
  ])("of %s is sent", (_, inPart, value, input, note) => {
    const read = captureOf(payment, inPart, value)
    expect(read).toMatchObject({ input, taken: { currency: "USD", value }, problem: undefined })
    expect(read.note).toMatch(note)
  })

  test.each<[string, boolean | undefined, number | undefined, RegExp]>([
    ["no amount", true, undefined, /^Type an amount, at most 7\.00 USD/],
    ["more than was authorized", true, 701, /^Must be at most 7\.00 USD/],
    ["a part, at a channel that captures none", false, 250, /^wallet_a cannot capture a part/],
  ])("of %s is not sent", (_, inPart, value, problem) => {
    expect(captureOf(payment, inPart, value).problem).toMatch(problem)
  })
})
