import { edges } from "../../../core/shared/Machine.ts"
import * as OneTimePay from "../../../core/payments/OneTimePay.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import * as RequestPayment from "../../../core/payments/RequestPayment.ts"

interface Graph {
  /** The statuses that a path leads to, by the status that it starts from. */
  readonly reach: ReadonlyMap<string, ReadonlySet<string>>
  readonly states: ReadonlySet<string>
}

type Edges = ReadonlyArray<{ readonly from: string; readonly to: string }>

const graphOf = (states: ReadonlyArray<string>, moves: Edges): Graph => {
  const reach = new Map(states.map((state) => [state, new Set<string>()]))
  for (const [start, found] of reach) {
    const open = [start]
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      for (const move of moves) {
        if (move.from !== from || found.has(move.to)) continue
        found.add(move.to)
        open.push(move.to)
      }
    }
  }
  return { reach, states: new Set(states) }
}

const request = RequestPayment.machine.table
const oneTime = OneTimePay.machine.table

const GRAPHS = {
  request_payment: graphOf(Object.keys(request), edges(request)),
  one_time_pay: graphOf(Object.keys(oneTime), edges(oneTime)),
} as const

/** Whether the flow's table has a path from one status to the other. */
export const leadsTo = (flow: PaymentIntent["flow"], from: string, to: string): boolean =>
  GRAPHS[flow].reach.get(from)?.has(to) ?? false

/** Whether the flow's table knows the status. */
export const isState = (flow: PaymentIntent["flow"], status: string): boolean =>
  GRAPHS[flow].states.has(status)

/** Whether no transition leads out of the status. */
export const isTerminal = (flow: PaymentIntent["flow"], status: string): boolean =>
  GRAPHS[flow].reach.get(status)?.size === 0

/** The timestamps of a payment's record, in the order in which they have to be. */
export const STAMPS = ["scanned_at", "authorized_at", "captured_at", "succeeded_at"] as const

export type Stamps = { readonly [S in (typeof STAMPS)[number] | "ended_at"]?: number }

/** Whether money is being taken or has been taken: from then on `expires_at` has no effect. */
export const isCaptured = (status: string): boolean =>
  status === "capturing" ||
  status === "debiting" ||
  status === "captured" ||
  status === "succeeded" ||
  status === "completed"

/** The statuses of payments that have failed. */
export const UNSPENT: ReadonlySet<string> = new Set(["failed", "expired", "cancelled", "voided"])
