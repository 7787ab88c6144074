import { edges } from "../../core/shared/Machine.ts"
import * as OneTimePay from "../../core/payments/OneTimePay.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import * as RequestPayment from "../../core/payments/RequestPayment.ts"
import type { TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import type { Model } from "./Model.ts"

type Flow = PaymentIntent["flow"]

/** A state of a flow, and an event that can happen to a payment in it. */
interface Pair {
  readonly flow: Flow
  readonly state: string
  readonly event: string
  /** Whether the flow's table has a transition for it. */
  readonly legal: boolean
}

/** The event of each flow's table for each status of a channel. */
const MEANS: { readonly [F in Flow]: { readonly [S in TradeStatus]?: string } } = {
  request_payment: {
    SCANNED: "scanned",
    AUTHORIZED: "authorized",
    SUCCESS: "settled",
    REJECTED: "failed",
    INSUFFICIENT_BALANCE: "failed",
    CLOSED: "failed",
    SETTLEMENT_FAILED: "settlement_failed",
  },
  one_time_pay: {
    AUTHORIZED: "held",
    SUCCESS: "paid",
    REJECTED: "failed",
    INSUFFICIENT_BALANCE: "failed",
    CLOSED: "failed",
  },
}

/** Events from outside, which may happen in any state. */
const ANYTIME: { readonly [F in Flow]: ReadonlyArray<string> } = {
  request_payment: [
    "scanned",
    "authorized",
    "settled",
    "settlement_failed",
    "failed",
    "capture_requested",
    "voided",
    "cancelled",
    "expired",
  ],
  one_time_pay: ["held", "paid", "failed", "voided", "cancelled", "expired"],
}

/** Events for the answers to our own calls, by the payment's state before and after. */
const ANSWERS: { readonly [before: string]: { readonly [after: string]: string } } = {
  capturing: {
    capturing: "capture_unknown",
    authorized: "capture_refused",
    captured: "captured",
    succeeded: "captured",
    failed: "captured",
  },
  debiting: {
    debiting: "debit_unknown",
    pending: "debit_declined",
    completed: "debited",
    failed: "failed",
  },
}

const MACHINES = {
  request_payment: RequestPayment.machine.table,
  one_time_pay: OneTimePay.machine.table,
} as const

/** Whether a payment is ever stored in the state. A Request Payment is stored with its QR code. */
const isStored = (flow: Flow, state: string): boolean =>
  flow === "one_time_pay" || state !== "pending"

/** No payment is stored in this state: a payment through an install begins with its debit. */
const UNSTORED = "debit_requested"

/** A payment expires only once, and only its debit pays a payment that is being charged. */
const isPossible = (state: string, event: string): boolean =>
  state === "expired" ? event !== "expired" : state !== "debiting" || event !== "paid"

const pairsOf = (flow: Flow): ReadonlyArray<Pair> => {
  const table = MACHINES[flow]
  const moves = edges(table as Parameters<typeof edges>[0])
  const states = Object.keys(table).filter((state) => isStored(flow, state))
  const isMove = (state: string, event: string) =>
    moves.some((move) => move.from === state && move.event === event)
  const anytime = states.flatMap((state) =>
    ANYTIME[flow]
      .filter((event) => isPossible(state, event))
      .map((event) => ({ flow, state, event, legal: isMove(state, event) })),
  )
  // Answers to our own calls only happen where there is a transition for them.
  const answers = moves
    .filter(({ event, from }) => isStored(flow, from) && event !== UNSTORED)
    .filter(({ event }) => !ANYTIME[flow].includes(event))
    .map(({ event, from }) => ({ flow, state: from, event, legal: true }))
  return [...anytime, ...answers]
}

/** Every state in which a payment is stored, with every event that can happen in it. */
export const PAIRS: ReadonlyArray<Pair> = [
  ...pairsOf("request_payment"),
  ...pairsOf("one_time_pay"),
]

/** Returns the name under which a pair is counted. */
export const pairName = ({ event, flow, state }: Omit<Pair, "legal">): string =>
  `${flow} ${state} ${event}`

/** Counts how often each event happened in each state. */
export class Visits {
  readonly #counts = new Map<string, number>()

  /** Counts an event that happens to a payment now, in the words of a channel or of the tables. */
  visit(model: Model, id: string, what: string): void {
    const record = model.intents.get(id)?.record
    if (record === undefined) return
    const { flow, status } = record
    const event = MEANS[flow][what as TradeStatus] ?? what
    this.count(flow, status, status === "debiting" && event === "paid" ? "debited" : event)
  }

  count(flow: Flow, state: string, event: string): void {
    const name = pairName({ flow, state, event })
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Returns the counts of all pairs, including those that the records show. */
  counts(model: Model): { readonly [pair: string]: number } {
    for (const { history, record } of model.intents.values()) {
      const { expires_at, flow } = record
      const then = history.findLast(({ at, status }) => at < expires_at && status !== "expired")
      if (then !== undefined) this.count(flow, then.status, "expired")
      for (const [n, { status }] of history.entries()) {
        const before = history[n - 1]?.status
        const event = before === undefined ? undefined : ANSWERS[before]?.[status]
        if (before !== undefined && event !== undefined) this.count(flow, before, event)
      }
    }
    return Object.fromEntries(PAIRS.map((pair) => [pairName(pair), this.#of(pair)]))
  }

  #of(pair: Pair): number {
    return this.#counts.get(pairName(pair)) ?? 0
  }
}
