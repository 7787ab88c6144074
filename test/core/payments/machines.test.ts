import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as OneTimePay from "../../../core/payments/OneTimePay.ts"
import {
  canExpire,
  dueAt,
  hasEnded,
  leavesAt,
  type OneTimePayment,
  type PaymentIntent,
  type RequestPayment,
} from "../../../core/payments/PaymentIntent.ts"
import * as RequestFlow from "../../../core/payments/RequestPayment.ts"
import { id, intentIn, oneTimeFacts, oneTimeIn, requestFacts, T0 } from "../../support/records.ts"

const at = T0 + 60_000

const requestEvents: { readonly [E in RequestFlow.RequestEvent as E["type"]]: E } = {
  qr_created: { type: "qr_created" },
  scanned: { type: "scanned", at },
  authorized: { type: "authorized", at },
  capture_requested: { type: "capture_requested", request: id("creq", 7) },
  capture_unknown: { type: "capture_unknown" },
  capture_refused: { type: "capture_refused" },
  captured: { type: "captured", at },
  settled: { type: "settled", trade_no: "trade-7", at },
  settlement_failed: { type: "settlement_failed", code: "C", message: "Message.", at },
  failed: { type: "failed", code: "C", message: "Message.", at },
  expired: { type: "expired", at },
  cancelled: { type: "cancelled", at },
  voided: { type: "voided", at },
}

const oneTimeEvents: { readonly [E in OneTimePay.OneTimeEvent as E["type"]]: E } = {
  held: { type: "held" },
  paid: { type: "paid", trade_no: "trade-7", at },
  debit_requested: { type: "debit_requested", request: id("creq", 7) },
  debit_unknown: { type: "debit_unknown" },
  debit_declined: { type: "debit_declined", deeplink: "svc://pay/7" },
  debited: { type: "debited", trade_no: "trade-7", at },
  failed: { type: "failed", code: "C", message: "Message.", at },
  expired: { type: "expired", at },
  cancelled: { type: "cancelled", at },
  voided: { type: "voided", at },
}

/**
 * The lifecycles again, with a row for each state and a column for each event: the next state, or
 * `-` for none.
 */
const requestMoves = `
              qr_created    scanned   authorized
pending       qr_generated  -         -
qr_generated  -             scanning  -
scanning      -             -         authorized
authorized    -             -         -
capturing     -             -         -
captured      -             -         -
succeeded     -             -         -
failed        -             -         -
expired       -             -         -
cancelled     -             -         -
voided        -             -         -
`
const captureMoves = `
              capture_requested  capture_unknown  capture_refused  captured
pending       -                  -                -                -
qr_generated  -                  -                -                -
scanning      -                  -                -                -
authorized    capturing          -                -                -
capturing     -                  capturing        authorized       captured
captured      -                  -                -                -
succeeded     -                  -                -                -
failed        -                  -                -                -
expired       -                  -                -                -
cancelled     -                  -                -                -
voided        -                  -                -                -
`
const requestEnds = `
              settled    settlement_failed  failed  expired  cancelled  voided
pending       -          -                  failed  expired  cancelled  voided
qr_generated  -          -                  failed  expired  cancelled  voided
scanning      -          -                  failed  expired  cancelled  voided
authorized    -          -                  failed  expired  cancelled  voided
capturing     -          -                  -       -        -          -
captured      succeeded  failed             -       -        -          -
succeeded     -          -                  -       -        -          -
failed        -          -                  -       -        -          -
expired       -          -                  -       -        -          -
cancelled     -          -                  -       -        -          -
voided        -          -                  -       -        -          -
`
const oneTimeMoves = `
           held     paid       failed  expired  cancelled  voided
pending    pending  completed  failed  expired  cancelled  voided
debiting   -        -          failed  -        -          -
completed  -        -          -       -        -          -
failed     -        -          -       -        -          -
expired    -        -          -       -        -          -
cancelled  -        -          -       -        -          -
voided     -        -          -       -        -          -
`

const debitMoves = `
           debit_requested  debit_unknown  debit_declined  debited
pending    debiting         -              -               -
debiting   -                debiting       pending         completed
completed  -                -              -               -
failed     -                -              -               -
expired    -                -              -               -
cancelled  -                -              -               -
voided     -                -              -               -
`

type Cell = readonly [from: string, event: string, to: string]

const cells = (drawn: string): ReadonlyArray<Cell> => {
  const [head = [], ...rows] = drawn
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/))
  return rows.flatMap(([from = "", ...targets]) =>
    targets.map((to, column): Cell => [from, head[column] ?? "", to]),
  )
}

/** The event that each state emits; only final states emit one. */
const told: { readonly [status: string]: string } = {
  succeeded: "payment_intent.succeeded",
  completed: "payment_intent.succeeded",
  failed: "payment_intent.failed",
  expired: "payment_intent.expired",
  cancelled: "payment_intent.cancelled",
  voided: "payment_intent.cancelled",
}

/** The facts that each event adds, in any state. */
const added: { readonly [event: string]: object } = {
  scanned: { scanned_at: at },
  authorized: { authorized_at: at },
  capture_requested: { capture_request: id("creq", 7), channel_outcome: "pending" },
  capture_unknown: { channel_outcome: "unknown" },
  captured: { captured_at: at },
  settled: { succeeded_at: at, channel_txn_id: "trade-7" },
  paid: { succeeded_at: at, channel_txn_id: "trade-7", auto_paid: false },
  debit_requested: { debit_request: id("creq", 7), channel_outcome: "pending" },
  debit_unknown: { channel_outcome: "unknown" },
  debit_declined: { deeplink: "svc://pay/7" },
  debited: { succeeded_at: at, channel_txn_id: "trade-7", auto_paid: true },
  settlement_failed: { failure_code: "C", failure_message: "Message.", ended_at: at },
  failed: { failure_code: "C", failure_message: "Message.", ended_at: at },
  expired: { ended_at: at },
  cancelled: { ended_at: at },
  voided: { ended_at: at },
}

/** Facts that only a payment with a running capture or debit has. */
const ofRequest = ["capture_request", "debit_request", "channel_outcome"]
const underWay = ["capturing", "debiting"]

const expected = (from: PaymentIntent, event: string, to: string): object => {
  const kept = Object.entries(from).filter(
    ([field]) => underWay.includes(to) || !ofRequest.includes(field),
  )
  return { ...Object.fromEntries(kept), ...added[event], status: to }
}

interface Flow {
  readonly name: string
  readonly cells: ReadonlyArray<Cell>
  readonly statuses: ReadonlyArray<string>
  readonly events: ReadonlyArray<string>
  readonly intent: (status: string) => PaymentIntent
  readonly step: (intent: PaymentIntent, event: string) => Result.Result<unknown, unknown>
  readonly can: (intent: PaymentIntent, event: string) => boolean
}

const requestEvent = (type: string) => requestEvents[type as keyof typeof requestEvents]
const oneTimeEvent = (type: string) => oneTimeEvents[type as keyof typeof oneTimeEvents]

const flows: ReadonlyArray<Flow> = [
  {
    name: "Request Payment",
    cells: [requestMoves, captureMoves, requestEnds].flatMap(cells),
    statuses: Object.keys(requestFacts),
    events: Object.keys(requestEvents),
    intent: (status) => intentIn(status as keyof typeof requestFacts),
    step: (intent, event) =>
      RequestFlow.machine.step(intent as RequestPayment, requestEvent(event)),
    can: (intent, event) =>
      RequestFlow.machine.can(intent as RequestPayment, requestEvent(event).type),
  },
  {
    name: "One-Time Pay",
    cells: [oneTimeMoves, debitMoves].flatMap(cells),
    statuses: Object.keys(oneTimeFacts),
    events: Object.keys(oneTimeEvents),
    intent: (status) => oneTimeIn(status as keyof typeof oneTimeFacts),
    step: (intent, event) => OneTimePay.machine.step(intent as OneTimePayment, oneTimeEvent(event)),
    can: (intent, event) =>
      OneTimePay.machine.can(intent as OneTimePayment, oneTimeEvent(event).type),
  },
]

describe.each(flows)("$name", ({ cells, statuses, events, intent, step, can }) => {
  const refused = cells.filter(([, , to]) => to === "-")
  const moves = cells.filter(([, , to]) => to !== "-")

  it.each(refused)("has no move from %s for %s", (from, event) => {
    const moved = step(intent(from), event)
    expect(Result.isFailure(moved) && moved.failure).toMatchObject({
      _tag: "InvalidTransition",
      from,
      event,
    })
    expect(can(intent(from), event)).toBe(false)
  })

  it.each(moves)("moves from %s by %s to %s", (from, event, to) => {
    const before = Object.freeze(intent(from))
    const emit = to in told ? [told[to]] : []
    expect(step(before, event)).toStrictEqual(
      Result.succeed({ record: expected(before, event, to), emit }),
    )
    expect(can(before, event)).toBe(true)
  })

  it("is written down for every state and every event, once", () => {
    const pairs = statuses.flatMap((status) => events.map((event) => `${status} ${event}`))
    expect(cells.map(([from, event]) => `${from} ${event}`).toSorted()).toStrictEqual(
      pairs.toSorted(),
    )
  })

  it("has no way out of an ended state, and a way out of every other", () => {
    for (const status of statuses) {
      expect(
        moves.some(([from]) => from === status),
        status,
      ).toBe(!hasEnded(intent(status)))
    }
  })

  it("expires from the states that can expire and from no other", () => {
    for (const status of statuses) {
      expect(can(intent(status), "expired"), status).toBe(canExpire(intent(status)))
      expect(dueAt(intent(status)), status).toBe(
        canExpire(intent(status)) ? intent(status).expires_at : leavesAt(intent(status)),
      )
    }
  })

  it("keeps the amount, the settlement and the parties through every move", () => {
    for (const [from, event] of moves) {
      const before = intent(from)
      const { record } = Result.getOrThrow(step(before, event)) as { record: PaymentIntent }
      for (const field of ["id", "version", "amount", "settlement", "account_id", "expires_at"]) {
        expect(Reflect.get(record, field)).toBe(Reflect.get(before, field))
      }
    }
  })
})

describe("a capture under way", () => {
  const capturing = intentIn("capturing")

  it.each(["captured", "capture_refused"] as const)("is over by %s without a trace", (type) => {
    const { record } = Result.getOrThrow(RequestFlow.machine.step(capturing, requestEvents[type]))
    for (const field of ofRequest) expect(Object.hasOwn(record, field), field).toBe(false)
  })

  it("from the first scan to the settlement sets every time once, in order", () => {
    const times = [1, 2, 3, 4].map((n) => T0 + n)
    const [scanned = 0, authorized = 0, captured = 0, settled = 0] = times
    const walked = Result.getOrThrow(
      RequestFlow.machine.walk(intentIn("pending"), [
        { type: "qr_created" },
        { type: "scanned", at: scanned },
        { type: "authorized", at: authorized },
        { type: "capture_requested", request: id("creq", 1) },
        { type: "capture_unknown" },
        { type: "captured", at: captured },
        { type: "settled", trade_no: "trade-1", at: settled },
      ]),
    )
    expect(walked).toStrictEqual({
      record: {
        ...intentIn("pending"),
        status: "succeeded",
        scanned_at: scanned,
        authorized_at: authorized,
        captured_at: captured,
        succeeded_at: settled,
        channel_txn_id: "trade-1",
      },
      emit: ["payment_intent.succeeded"],
    })
  })
})
