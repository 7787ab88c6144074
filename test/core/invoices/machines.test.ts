import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  COLLECTED_FOR,
  collectedUntil,
  draft,
  type Invoice,
  INVOICE_STATUSES,
  type InvoiceEvent,
  PAYMENT_TERM,
  step,
} from "../../../core/invoices/Invoice.ts"
import {
  machine,
  type Subscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionEvent,
} from "../../../core/invoices/Subscription.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { id, invoiceIn, subscriptionIn, T0 } from "../../support/records.ts"
import { invoiceView } from "../../../core/invoices/InvoiceView.ts"
import { subscriptionView } from "../../../core/invoices/SubscriptionView.ts"

const at = T0 + DAY

const subscriptionEvents: {
  readonly [E in SubscriptionEvent as E["type"]]: E
} = {
  renewed: { type: "renewed", number: 1, start: T0 + 31 * DAY, end: at, invoice: id("inv", 7) },
  overdue: { type: "overdue", at },
  settled: { type: "settled" },
  skipped: { type: "skipped", number: 1, start: T0 + 31 * DAY, end: at },
  cancel_requested: { type: "cancel_requested" },
  cancelled: { type: "cancelled", at, reason: "requested" },
}

const invoiceEvents: { readonly [E in InvoiceEvent as E["type"]]: E } = {
  asked: { type: "asked", payment_intent: id("pi", 7), first: true },
  unreached: { type: "unreached" },
  overdue: { type: "overdue" },
  paid: { type: "paid", at },
  voided: { type: "voided", at },
  given_up: { type: "given_up", at },
}

/**
 * A row for each state and a column for each event: the next state and the emitted event without
 * the name of its kind, or `-` for none.
 */
const subscriptionMoves = `
           renewed           overdue             settled
active     active:renewed    past_due:past_due   -
past_due   past_due:renewed  -                   active:recovered
cancelled  -                 -                   -
`
const subscriptionEnds = `
           skipped           cancel_requested           cancelled
active     active            active:cancel_scheduled    cancelled:cancelled
past_due   past_due          past_due:cancel_scheduled  cancelled:cancelled
cancelled  -                 -                          -
`
const invoiceMoves = `
               asked  unreached  overdue       paid       voided       given_up
open           open   open       open:overdue  paid:paid  void:voided  uncollectible:uncollectible
paid           -      -          -             -          -            -
void           -      -          -             -          -            -
uncollectible  uncollectible  -  -             paid:paid  void:voided  -
`

const parse = (text: string) => {
  const [head = "", ...rows] = text.trim().split("\n")
  const events = head.trim().split(/\s+/)
  return rows.flatMap((row) => {
    const [from = "", ...cells] = row.trim().split(/\s+/)
    return events.map((event, n) => ({ from, event, to: cells[n] ?? "" }))
  })
}

type Moved = Result.Result<{ record: { status: string }; emit: ReadonlyArray<string> }, unknown>

const shown = (moved: Moved): string =>
  Result.isFailure(moved)
    ? "-"
    : [
        moved.success.record.status,
        ...moved.success.emit.map((type) => type.replace(/^.*\./, "")),
      ].join(":")

describe("the lifecycle of a subscription", () => {
  for (const { event, from, to } of [...parse(subscriptionMoves), ...parse(subscriptionEnds)]) {
    it(`${from} + ${event} → ${to}`, () => {
      const before = subscriptionIn(from as Subscription["status"])
      const said = subscriptionEvents[event as keyof typeof subscriptionEvents]
      expect(shown(machine.step(before, said))).toBe(to)
    })
  }

  it("a renewal has a new period and invoice, and is due at the new end", () => {
    const moved = machine.step(subscriptionIn("past_due"), subscriptionEvents.renewed)
    expect(Result.getOrThrow(moved).record).toMatchObject({
      period: 1,
      current_period_start: T0 + 31 * DAY,
      current_period_end: at,
      due_at: at,
      latest_invoice: id("inv", 7),
      past_due_at: T0 + 7 * DAY,
    })
  })

  it("one that is paid again, or has ended, is past due no longer", () => {
    for (const event of [subscriptionEvents.settled, subscriptionEvents.cancelled]) {
      const moved = machine.step(subscriptionIn("past_due"), event)
      expect(Result.getOrThrow(moved).record).not.toHaveProperty("past_due_at")
    }
  })
})

describe("the lifecycle of an invoice", () => {
  for (const { event, from, to } of parse(invoiceMoves)) {
    it(`${from} + ${event} → ${to}`, () => {
      const before = invoiceIn(from as Invoice["status"])
      const said = invoiceEvents[event as keyof typeof invoiceEvents]
      expect(shown(step(before, said))).toBe(to)
    })
  }

  const due = (...events: ReadonlyArray<InvoiceEvent>) =>
    events.reduce((invoice, event) => {
      const moved = step(invoice, event)
      return Result.isSuccess(moved) ? moved.success.record : invoice
    }, invoiceIn("open")).due_at

  it("is looked at when it is opened, after its term, and when nobody waits any more", () => {
    const { asked, overdue, paid, unreached, voided, given_up } = invoiceEvents
    expect(due()).toBe(T0)
    expect(due(asked)).toBe(T0 + PAYMENT_TERM)
    expect(due(asked, unreached)).toBe(T0)
    expect(due(asked, overdue)).toBe(T0 + COLLECTED_FOR)
    expect(due(asked, overdue, { ...asked, first: false })).toBe(T0 + 14 * DAY)
    for (const end of [paid, voided, given_up]) expect(due(asked, end)).toBeNull()
  })

  it("one over nothing is born paid, and is never looked at", () => {
    const { amount, ...terms } = invoiceIn("open")
    const free = draft(id("inv", 2), { ...terms, amount: { ...amount, value: 0 } }, at)
    expect(free).toMatchObject({ status: "paid", paid_at: at, due_at: null })
  })
})

describe("what is shown", () => {
  it("a subscription says when and why it changed", () => {
    const shown = SUBSCRIPTION_STATUSES.map((status) => subscriptionView(subscriptionIn(status)))
    expect(shown.map(({ status }) => status)).toStrictEqual(["active", "past_due", "cancelled"])
    expect(shown[0]).toStrictEqual({
      id: id("sub", 1),
      service_id: "019b7726-0000-7000-8000-000000000001",
      plan_id: "pro",
      interval: "monthly",
      amount: { currency: "USD", value: 1_999 },
      status: "active",
      payer: { agent_id: "agent-2", human_id: null },
      current_period_start: "2026-01-01T00:00:00.000Z",
      current_period_end: "2026-02-01T00:00:00.000Z",
      cancel_at_period_end: false,
      latest_invoice: id("inv", 1),
      created_at: "2026-01-01T00:00:00.000Z",
    })
    expect(shown[1]).toMatchObject({ past_due_at: "2026-01-08T00:00:00.000Z" })
    expect(shown[2]).toMatchObject({
      cancelled_at: "2026-01-15T00:00:00.000Z",
      cancel_reason: "unpaid",
    })
  })

  it("an invoice says by when it is to be paid, and when it was", () => {
    const shown = INVOICE_STATUSES.map((status) => invoiceView(invoiceIn(status)))
    expect(shown.map(({ status }) => status)).toStrictEqual([
      "open",
      "paid",
      "void",
      "uncollectible",
    ])
    expect(shown[0]).toMatchObject({
      subscription: id("sub", 1),
      agent_id: "agent-2",
      payment_intent: null,
      period_start: "2026-01-01T00:00:00.000Z",
      period_end: "2026-02-01T00:00:00.000Z",
      due_at: "2026-01-08T00:00:00.000Z",
      created_at: "2026-01-01T00:00:00.000Z",
    })
    expect(shown[1]).toMatchObject({ paid_at: "2026-01-02T00:00:00.000Z" })
    expect(collectedUntil(invoiceIn("open"))).toBe(T0 + 14 * DAY)
  })
})
