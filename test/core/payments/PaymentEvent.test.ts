import { describe, expect, test } from "vitest"
import { type PaymentEventType, paymentEvents } from "../../../core/payments/PaymentEvent.ts"
import { id, intentIn, oneTimeIn, T0, uuid } from "../../support/records.ts"

const counting = () => {
  let n = 0
  return { uuid: () => uuid(++n) }
}

const AT = T0 + 60_000

/** Returns the data of the only event of a payment for the payee's own agent. */
const told = (intent: Parameters<typeof paymentEvents>[0], type: PaymentEventType) =>
  paymentEvents(intent, [type], counting(), AT)[0]?.data

const shared = {
  id: id("pi", 1),
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  channel: "wallet_a",
}

describe("the data of a payment's event", () => {
  test("of success", () => {
    const intent = intentIn("succeeded", {
      settlement: { currency: "EUR", value: 637, rate: "0.912345" },
      metadata: { order: 7 },
    })
    expect(told(intent, "payment_intent.succeeded")).toEqual({
      ...shared,
      settlement: { currency: "EUR", value: 637, rate: 0.912345 },
      channel_txn_id: "trade-1",
      succeeded_at: "2026-01-01T00:00:04.000Z",
      metadata: { order: 7 },
    })
  })

  test("of a completed link, which says whether it was paid automatically", () => {
    expect(told(oneTimeIn("completed"), "payment_intent.succeeded")).toEqual({
      ...shared,
      settlement: { currency: "USD", value: 699, rate: 1 },
      channel_txn_id: "trade-1",
      succeeded_at: "2026-01-01T00:00:01.000Z",
      auto_paid: false,
      metadata: null,
    })
  })

  const occurred = { occurred_at: "2026-01-01T00:01:00.000Z", metadata: null }

  test.each([intentIn("failed"), oneTimeIn("failed")])("of failure in $flow", (intent) => {
    expect(told(intent, "payment_intent.failed")).toEqual({
      ...shared,
      status: "failed",
      failure_code: "REJECTED",
      failure_message: "The payer's wallet refused.",
      ...occurred,
    })
  })

  test.each(["expired", "cancelled", "voided"] as const)("of %s, in both flows", (status) => {
    const data = { ...shared, status, ...occurred }
    expect(told(intentIn(status), "payment_intent.cancelled")).toEqual(data)
    expect(told(oneTimeIn(status), "payment_intent.cancelled")).toEqual(data)
  })
})

describe("the events of a move", () => {
  const types: ReadonlyArray<PaymentEventType> = ["payment_intent.cancelled"]

  test("is one, due at once, where the payee created the intent", () => {
    const intent = intentIn("voided")
    expect(paymentEvents(intent, types, counting(), AT)).toEqual([
      {
        id: id("evt", 1),
        version: 1,
        account_id: id("acct", 1),
        type: "payment_intent.cancelled",
        service_id: uuid(1),
        subject_id: intent.id,
        data: {
          ...shared,
          status: "voided",
          occurred_at: "2026-01-01T00:01:00.000Z",
          metadata: null,
        },
        created_at: AT,
        traceparent: null,
        due_at: AT,
      },
    ])
  })

  test("are two where somebody else did, each to be delivered", () => {
    const intent = intentIn("cancelled", { account_id: id("acct", 2) })
    const events = paymentEvents(intent, types, counting(), AT)
    expect(events.map((event) => [event.id, event.account_id, event.due_at])).toEqual([
      [id("evt", 1), id("acct", 1), AT],
      [id("evt", 2), id("acct", 2), AT],
    ])
    expect(events[0]?.data).toEqual(events[1]?.data)
  })

  test("are none of a move that tells nothing", () => {
    expect(paymentEvents(intentIn("scanning"), [], counting(), AT)).toEqual([])
  })
})
