import { defineKind } from "../commits/KindDeclaration.ts"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { ChannelAction, ChannelCall, ChannelOutcome } from "./ChannelCall.ts"

/** The fields of a request in every state. */
export interface ChannelRequestCommon {
  /** `creq_` and a UUIDv7: the request number under which the channel knows the call. */
  readonly id: string
  readonly version: number
  readonly payment_intent: string
  readonly account_id: string
  readonly channel: string
  readonly action: ChannelAction
  readonly charge_id: string
  /** The channel's number of the trade; null while it is unknown. */
  readonly trade_no: string | null
  readonly amount: Money
  /** The refund that it carries out; null otherwise, also for late money that goes back. */
  readonly refund: string | null
  /** The mandate that allows a debit; null for other actions. */
  readonly mandate: string | null
  /** How often the channel was called or asked. */
  readonly attempts: number
  readonly created_at: Timestamp
}

/** The states of a request with the fields of each. */
export interface ChannelRequestFacts {
  /** Stored and not answered yet; a worker makes the call when it is due. */
  outstanding: { due_at: Timestamp }
  /** Called without a final answer; a worker asks the channel when it is due. */
  unknown: { due_at: Timestamp }
  done: { trade_no: string }
  /** The channel refused, for the given reason. */
  refused: { failure: string }
}

/** The moves of a request; `attempts` includes the call that was answered. */
export type ChannelRequestMove = { readonly attempts: number } & (
  | { readonly type: "done"; readonly trade_no: string }
  | { readonly type: "refused"; readonly failure: string }
  | { readonly type: "unanswered"; readonly due_at: Timestamp }
)

const moves = {
  done: {
    to: "done",
    set: ({ attempts, trade_no }) => ({ attempts, trade_no }),
    drop: ["due_at"],
  },
  refused: {
    to: "refused",
    set: ({ attempts, failure }) => ({ attempts, failure }),
    drop: ["due_at"],
  },
  unanswered: {
    to: "unknown",
    set: ({ attempts, due_at }) => ({ attempts, due_at }),
  },
} satisfies Machine.Table<ChannelRequestFacts, ChannelRequestMove, never>["outstanding"]

const table: Machine.Table<ChannelRequestFacts, ChannelRequestMove, never> = {
  outstanding: moves,
  unknown: moves,
  done: {},
  refused: {},
}

/** The lifecycle of a request. It is retried until the channel has done or refused it. */
export const machine = Machine.make<
  ChannelRequestCommon,
  ChannelRequestFacts,
  ChannelRequestMove,
  never
>(table)

/**
 * A call to a channel, stored under its own number before it is made. After a broken call, the
 * channel is called or asked again under the same number, so that the effect happens once.
 */
export type ChannelRequest = ChannelRequestCommon & Machine.InState<ChannelRequestFacts>

/** How long the caller's own attempt may run before a worker takes over, in milliseconds. */
export const TAKEOVER_AFTER = 10 * SECOND

/** After this time in milliseconds, a number that the channel does not know never arrived. */
export const NOT_FOUND_GRACE = MINUTE

const ASK_AFTER = [SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY]

/** Returns the wait in milliseconds before the channel is asked again after that many attempts. */
export const askAgainAfter = (attempts: number): number =>
  ASK_AFTER[Math.min(Math.max(attempts, 1), ASK_AFTER.length) - 1] ?? DAY

/**
 * Returns how long a request with that many attempts has been in progress at least, in
 * milliseconds. It sums up the waits, since the clocks of processes may differ.
 */
export const waitedFor = (attempts: number): number =>
  Array.from({ length: attempts }, (_, n) => afterSilence(n + 1)).reduce((sum, ms) => sum + ms, 0)

/**
 * Returns the wait after a call without any answer, an hour at most: the outcome becomes known that
 * much later than the channel recovers.
 */
const afterSilence = (attempts: number): number => Math.min(askAgainAfter(attempts), HOUR)

/** Returns when the channel is asked again. A lost call is not repeated later than it may be. */
const nextAsk = (request: ChannelRequest, outcome: ChannelOutcome, now: Timestamp): Timestamp => {
  const wait = outcome.type === "pending" ? askAgainAfter : afterSilence
  const again = now + wait(request.attempts + 1)
  const repeatable = request.created_at + NOT_FOUND_GRACE
  return outcome.type === "not_found" && now < repeatable ? Math.min(again, repeatable) : again
}

/** Returns the move that the channel's answer, or a missing answer, makes. */
export const moveBy = (
  request: ChannelRequest,
  outcome: ChannelOutcome,
  now: Timestamp,
): ChannelRequestMove => {
  const attempts = request.attempts + 1
  switch (outcome.type) {
    case "done":
      return { type: "done", attempts, trade_no: outcome.trade_no }
    case "refused":
      return { type: "refused", attempts, failure: outcome.message }
    default:
      return { type: "unanswered", attempts, due_at: nextAsk(request, outcome, now) }
  }
}

/** An action that a channel should take on a charge. */
export interface ChannelTask {
  readonly action: ChannelAction
  readonly channel: string
  readonly charge_id: string
}

/** The fields of a payment that requests need. */
export interface RequestedPayment {
  readonly id: string
  readonly account_id: string
  readonly channel: string | null
  readonly trade_no: string | null
  readonly amount: Money
}

/**
 * Makes a new request to a channel about a charge of the payment. A worker makes the call at
 * `due_at`: immediately, or later, so that the caller makes it. The payment's trade number is that
 * of its own channel; the trade numbers of charges at other channels are unknown.
 */
export const draft = (
  id: string,
  payment: RequestedPayment,
  task: ChannelTask & { readonly trade_no?: string },
  at: Timestamp,
  due_at: Timestamp = at,
): ChannelRequest => ({
  id,
  version: 1,
  payment_intent: payment.id,
  account_id: payment.account_id,
  channel: task.channel,
  action: task.action,
  charge_id: task.charge_id,
  trade_no: task.trade_no ?? (task.channel === payment.channel ? payment.trade_no : null),
  amount: payment.amount,
  refund: null,
  mandate: null,
  status: "outstanding",
  attempts: 0,
  created_at: at,
  due_at,
})

/** Returns the call that a request makes. */
export const callOf = (request: ChannelRequest): ChannelCall => ({
  number: request.id,
  action: request.action,
  channel: request.channel,
  out_trade_no: request.payment_intent,
  charge_id: request.charge_id,
  trade_no: request.trade_no,
  amount: request.amount,
  mandate: request.mandate,
})

/** Prefix of the names of returns; see {@link returnKey}. */
export const RETURN_KEYS = "return:"

/**
 * Returns the unique name under which the money of a trade goes back. One request holds it, since a
 * failed release and a later payment are found out independently, in either order.
 */
export const returnKey = ({
  channel,
  charge_id,
  trade_no,
}: Pick<ChannelRequestCommon, "channel" | "charge_id" | "trade_no">): string =>
  `${RETURN_KEYS}${channel}:${trade_no ?? charge_id}`

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly channel_request: ChannelRequest
  }
}

/** How the store keeps channel requests. */
export const channelRequestKind = defineKind("channel_request", {
  prefix: "creq",
  erased: true,
  dueAt: (request) => ("due_at" in request ? request.due_at : null),
  lists: [["payment_intent"]],
})
