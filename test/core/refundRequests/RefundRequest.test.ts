import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import {
  machine,
  REFUND_REQUEST_STATUSES,
  stepOf,
} from "../../../core/refundRequests/RefundRequest.ts"
import { refundRequestHappening } from "../../../core/refundRequests/RefundRequestEvent.ts"
import { edges } from "../../../core/shared/Machine.ts"
import { refundRequestIn, T0 } from "../../support/records.ts"

describe("the states of a refund request", () => {
  it("end with one decision, which never changes", () => {
    expect(edges(machine.table)).toStrictEqual([
      { from: "open", event: "approve", to: "approved" },
      { from: "open", event: "decline", to: "declined" },
      { from: "open", event: "withdraw", to: "withdrawn" },
      { from: "open", event: "expire", to: "expired" },
    ])
    expect(Object.keys(machine.table)).toStrictEqual([...REFUND_REQUEST_STATUSES])
  })

  it("are never due again, and hold when and how they ended", () => {
    const open = refundRequestIn("open")
    const ended = { updated_at: T0 + 5, resolved_at: T0 + 5, due_at: null }
    const reason = "It was delivered."
    expect(machine.step(open, { type: "decline", at: T0 + 5, reason })).toStrictEqual(
      Result.succeed({
        record: { ...open, ...ended, status: "declined", decline_reason: reason },
        emit: ["refund.declined"],
      }),
    )
    expect(machine.step(open, { type: "approve", at: T0 + 5, refund: "ref_1" })).toStrictEqual(
      Result.succeed({
        record: { ...open, ...ended, status: "approved", refund: "ref_1" },
        emit: [],
      }),
    )
  })

  it("do not end before they begin, where the clock of another process is behind", () => {
    const open = refundRequestIn("open")
    const { record } = Result.getOrThrow(
      stepOf(open, { type: "withdraw", at: open.created_at - 300_000 }),
    )
    expect(record).toMatchObject({ resolved_at: open.created_at, updated_at: open.created_at })
  })

  it("tell the payee of what the buyer does, and the buyer of what the payee does", () => {
    const request = refundRequestIn("open")
    const { account_id, payee_account_id } = request
    const told = (type: Parameters<typeof refundRequestHappening>[1]) =>
      refundRequestHappening(request, type).accounts
    expect(told("refund.requested")).toStrictEqual([payee_account_id])
    expect(told("refund.withdrawn")).toStrictEqual([payee_account_id])
    expect(told("refund.declined")).toStrictEqual([account_id])
  })
})
