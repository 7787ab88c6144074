import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import { usualParts } from "../../simulator/parts.ts"
import { perform } from "../../simulator/perform.ts"
import { Story } from "../../simulator/report/Story.ts"
import { readRunFile, writeRunFile } from "../../simulator/RunFile.ts"
import { shrink } from "../../simulator/shrinking/shrink.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"
import { dropping } from "./flaw.ts"

const alterations = dropping("events")
const YEAR = 31_536_000_000
const NOTHING = { currency: "USD", value: 0 }
const breaks = (script: Script) =>
  perform(script, { alterations, stop_at: [28] }).violations.some(({ number }) => number === 28)

describe("a failing seed", () => {
  const script = drawScript({ seed: 3, intents: 16 })
  const shrunk = shrink(script, usualParts, breaks, { tries: 150 })
  const small = shrunk.script
  const [payment] = script.payments
  const altered = (change: object) => ({ script: { ...small, ...change } })
  const planned = (...changes: ReadonlyArray<object>) =>
    altered({ payments: changes.map((change) => ({ ...payment, ...change })) })

  test("is reduced to what it takes: few payments, few faults, few parts", () => {
    expect(breaks(small)).toBe(true)
    expect(small.payments.length).toBeLessThanOrEqual(1)
    expect(Object.values(small.faults).filter((size) => size > 0)).toEqual([])
    expect(small.parts).toEqual([])
    expect(shrunk).toMatchObject({ why: "each_is_needed" })
    expect(shrunk.needed).toHaveLength(small.payments.length)
  })

  test("is written down and read again, and runs as it did", () => {
    const first = perform(small, { alterations })
    const text = writeRunFile(small, first.trace_hash, first.violations)
    const read = Result.getOrThrow(readRunFile(JSON.parse(text)))
    expect(read.script).toEqual(small)
    expect(read.found.map(({ number }) => number)).toContain(28)
    expect(perform(read.script, { alterations }).trace_hash).toBe(read.trace_hash)
  })

  test("is told step by step, with names for ids and times from the beginning", () => {
    const story = new Story(small.start)
    const lines: Array<string> = []
    const onStep = (note: Parameters<Story["tell"]>[0]) => lines.push(story.tell(note))
    const { violations } = perform(small, { alterations, onStep })
    const text = lines.join("\n")
    expect(text).toContain("payment #1")
    expect(text).toMatch(/^00:00:0\d\.\d{3} {2}/)
    expect(text).not.toMatch(/pi_[0-9a-f]{8}/)
    const lost = violations.find(({ number }) => number === 28)
    expect(lost && story.complain(lost)).toMatch(/✗ INVARIANT 28 \(A commit is there/)
  })

  const PAYMENT = "pi_019c166e-5cae-7002-8acd-a9466b9f6a9e"
  test.each([
    [
      `answer POST /v1/x errand 0 of buyer-2 201{"id":"${PAYMENT}","status":"pending"}`,
      "201, pending",
    ],
    [
      `answer POST /v1/pay/${PAYMENT}/void null NOT_FOUND`,
      "POST /v1/pay/payment #1/void: NOT_FOUND",
    ],
    [
      `commit client insert refund_request ${PAYMENT.replace("pi_", "rr_")} 1 open`,
      "makes refund request #1 open",
    ],
    ["call undefined undefined tools/call pay_subscribe", "→ tools/call pay_subscribe: answered"],
    ["call plan FORBIDDEN tools/list", "→ tools/list (key plan): FORBIDDEN"],
    ["answer POST /v1/x errand 0 of buyer-2 NOT_FOUND", "x (key errand 0 of buyer-2): NOT_FOUND"],
  ])("%s is told", (what, said) => {
    expect(new Story(0).tell({ at: 0, what })).toContain(said)
  })

  test.each([
    ["another format", { format: "something else" }, "format: "],
    ["a payment that is none", { script: { ...small, payments: [{ number: 1 }] } }, "payments.0"],
    ["a word too many", { more: true }, "more: "],
    ["an escape for terminals", { reduced: ["fine", "\u001b[2Jgone"] }, "reduced.1: must hold no"],
    ["an escape of one character", { reduced: ["\u009b2Jgone"] }, "reduced.0: must hold no"],
    ["a line that another one hides", { reduced: ["a\rb"] }, "reduced.0: must be a single line"],
    ["a beginning in the year 9999", altered({ start: 253_402_300_000_000 }), "script.start: "],
    ["a beginning in the year 1", altered({ start: -62_135_596_800_000 }), "script.start: "],
    ["a fault below zero", altered({ faults: { callback_lost: -1 } }), "faults.callback_lost: "],
    ["a wait of ages", planned({ after: 1e15 }), "script.payments.0.after: must be a value"],
    [
      "too many years",
      planned({ after: 40 * YEAR }, { after: 1 }),
      "2 payments would begin within",
    ],
    [
      "a payer who never decides",
      planned({ payer: { ...payment?.payer, scans_after: 1e15 } }),
      "payments.0.payer.scans_after: ",
    ],
    ["an amount of nothing", planned({ amount: NOTHING }), "payments.0.amount.value: "],
    ["a service that is none", planned({ service: "A shop" }), "is no service of the world. "],
    ["a name that moves the cursor", altered({ parts: ["\u001b[A"] }), "script.parts.0: must hold"],
  ])("is not read from a file with %s", (_, change, said) => {
    const file = { format: "payport simulation 1", found: [], trace_hash: "", script: small }
    const read = readRunFile({ ...file, ...change })
    expect(Result.isFailure(read) ? read.failure.join("\n") : "accepted").toContain(said)
  })
})
