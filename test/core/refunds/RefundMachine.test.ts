import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { machine } from "../../../core/refunds/RefundMachine.ts"
import { edges } from "../../../core/shared/Machine.ts"
import { refundIn, T0 } from "../../support/records.ts"

describe("the states of a refund", () => {
  it("end with the channel's answer, and never change after it", () => {
    expect(edges(machine.table)).toStrictEqual([
      { from: "pending", event: "confirmed", to: "succeeded" },
      { from: "pending", event: "rejected", to: "failed" },
    ])
  })

  it.each(["succeeded", "failed"] as const)("take no answer when it has %s", (status) => {
    const refund = refundIn(status)
    const confirmed = machine.step(refund, { type: "confirmed", at: T0 })
    const rejected = machine.step(refund, { type: "rejected", reason: "No.", at: T0 })
    expect(Result.isFailure(confirmed)).toBe(true)
    expect(Result.isFailure(rejected)).toBe(true)
  })

  it("hold when it ended and what the channel said", () => {
    const at = T0 + 5
    const confirmed = machine.step(refundIn("pending"), { type: "confirmed", at })
    expect(confirmed).toStrictEqual(
      Result.succeed({
        record: {
          ...refundIn("pending"),
          status: "succeeded",
          succeeded_at: at,
          updated_at: at,
        },
        emit: ["refund.succeeded"],
      }),
    )
    const reason = "é".repeat(600)
    const rejected = machine.step(refundIn("pending"), { type: "rejected", reason, at })
    expect(rejected).toStrictEqual(
      Result.succeed({
        record: {
          ...refundIn("pending"),
          status: "failed",
          failed_at: at,
          updated_at: at,
          channel_reason: reason.slice(0, 512),
        },
        emit: ["refund.failed"],
      }),
    )
  })
})
