import { edges } from "../../core/shared/Machine.ts"
import * as OneTimePay from "../../core/payments/OneTimePay.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import * as RequestPayment from "../../core/payments/RequestPayment.ts"
import type { TradeStatus } from "../../core/channels/ChannelCallback.ts"
import type { Model } from "./Model.ts"

type Flow = PaymentIntent["flow"]

/** A state of a flow and something that can happen to a payment in it. */
interface Pair {
  readonly flow: Flow
  readonly state: string
  readonly event: string
  /** Whether the flow's table has a move for it. */
  readonly legal: boolean
}

/** What a channel's word means to each flow, in the words of the flow's table. */
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

/** Comes from outside, and may come in any state. */
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

const MACHINES = {
  request_payment: RequestPayment.machine.table,
  one_time_pay: OneTimePay.machine.table,
} as const

/**
 * Whether a payment is ever found in the state. A Request Payment is stored with its QR code, and
 * nobody in the simulated world pays through an install yet.
 */
const isStored = (flow: Flow, state: string): boolean =>
  flow === "one_time_pay" ? state !== "debiting" : state !== "pending"

/** What happens to payments that are paid through an install. */
const NOT_PLAYED = ["debit_requested"]

const pairsOf = (flow: Flow): ReadonlyArray<Pair> => {
  const table = MACHINES[flow]
  const moves = edges(table as Parameters<typeof edges>[0])
  const states = Object.keys(table).filter((state) => isStored(flow, state))
  const isMove = (state: string, event: string) =>
    moves.some((move) => move.from === state && move.event === event)
  const anytime = states.flatMap((state) =>
    // Time runs out once: what has expired does not expire.
    ANYTIME[flow]
      .filter((event) => state !== "expired" || event !== "expired")
      .map((event) => ({ flow, state, event, legal: isMove(state, event) })),
  )
  // The answers to our own calls come where there is a move for them.
  const answers = moves
    .filter(({ event, from }) => isStored(flow, from) && !NOT_PLAYED.includes(event))
    .filter(({ event }) => !ANYTIME[flow].includes(event))
    .map(({ event, from }) => ({ flow, state: from, event, legal: true }))
  return [...anytime, ...answers]
}

/** Every state in which a payment is found, with everything that can happen to it there. */
export const PAIRS: ReadonlyArray<Pair> = [
  ...pairsOf("request_payment"),
  ...pairsOf("one_time_pay"),
]

/** The name under which a pair is counted. */
export const pairName = ({ event, flow, state }: Omit<Pair, "legal">): string =>
  `${flow} ${state} ${event}`

/** Counts how often what happened in which state. */
export class Visits {
  readonly #counts = new Map<string, number>()

  /** Something happens to a payment now, in the words of a channel or of the tables. */
  visit(model: Model, id: string, what: string): void {
    const record = model.intents.get(id)?.record
    if (record === undefined) return
    const { flow, status } = record
    this.count(flow, status, MEANS[flow][what as TradeStatus] ?? what)
  }

  count(flow: Flow, state: string, event: string): void {
    const name = pairName({ flow, state, event })
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** The counts of all pairs, with those that the records themselves tell of. */
  counts(model: Model): { readonly [pair: string]: number } {
    for (const { history, record } of model.intents.values()) {
      const { expires_at, flow } = record
      const then = history.findLast(({ at, status }) => at < expires_at && status !== "expired")
      if (then !== undefined) this.count(flow, then.status, "expired")
      for (const [n, { status }] of history.entries()) {
        const before = history[n - 1]?.status
        if (before !== "capturing") continue
        if (status === "capturing") this.count(flow, before, "capture_unknown")
        else this.count(flow, before, status === "authorized" ? "capture_refused" : "captured")
      }
    }
    return Object.fromEntries(PAIRS.map((pair) => [pairName(pair), this.#of(pair)]))
  }

  #of(pair: Pair): number {
    return this.#counts.get(pairName(pair)) ?? 0
  }
}
