import { defineKind } from "../commits/KindDeclaration.ts"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { ChannelAction, ChannelCall, ChannelOutcome } from "./ChannelCall.ts"

/** What a request holds in every state. */
export interface ChannelRequestCommon {
  /** `creq_` and a UUIDv7: the request number that the channel knows the call by. */
  readonly id: string
  readonly version: number
  readonly payment_intent: string
  readonly account_id: string
  readonly channel: string
  readonly action: ChannelAction
  readonly charge_id: string
  /** The channel's own number of the trade; null while nobody has told of it. */
  readonly trade_no: string | null
  readonly amount: Money
  /** The refund that it carries out; null for whatever else, late money that goes back too. */
  readonly refund: string | null
  /** The mandate that allows a debit; null for everything else. */
  readonly mandate: string | null
  /** How often the channel was called or asked. */
  readonly attempts: number
  readonly created_at: Timestamp
}

/** The states of a request with what is known in each. */
export interface ChannelRequestFacts {
  /** Written down, and not answered yet; a worker makes the call when it is due. */
  outstanding: { due_at: Timestamp }
  /** Called without a final answer; a worker asks the channel when it is due. */
  unknown: { due_at: Timestamp }
  done: { trade_no: string }
  /** The channel would not, for the reason that it gives. */
  refused: { failure: string }
}

/** What can happen to a request; `attempts` counts the call that was answered. */
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

/** The lifecycle of a request: it is asked after until the channel has done it or has refused. */
export const machine = Machine.make<
  ChannelRequestCommon,
  ChannelRequestFacts,
  ChannelRequestMove,
  never
>(table)

/**
 * A call to a channel, written down under its own number before it is made. A broken call is
 * repeated or asked after under the same number, so that its effect happens once.
 */
export type ChannelRequest = ChannelRequestCommon & Machine.InState<ChannelRequestFacts>

/** How long a caller's own attempt may run before a worker takes the request over. */
export const TAKEOVER_AFTER = 10 * SECOND

/** After this long, a channel that has never heard of a request number never will. */
export const NOT_FOUND_GRACE = MINUTE

const ASK_AFTER = [SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY]

/** How long to wait after the given number of attempts before the channel is asked again. */
export const askAgainAfter = (attempts: number): number =>
  ASK_AFTER[Math.min(Math.max(attempts, 1), ASK_AFTER.length) - 1] ?? DAY

/**
 * How long a request has been under way at least when it was answered so often: what was waited in
 * between, whatever the time of day was at any process.
 */
export const waitedFor = (attempts: number): number =>
  Array.from({ length: attempts }, (_, n) => afterSilence(n + 1)).reduce((sum, ms) => sum + ms, 0)

/**
 * The same after no answer at all, an hour at most: the outcome is known that much later than the
 * channel is back.
 */
const afterSilence = (attempts: number): number => Math.min(askAgainAfter(attempts), HOUR)

/** When the channel is asked again: not after the time at which a lost call may be repeated. */
const nextAsk = (request: ChannelRequest, outcome: ChannelOutcome, now: Timestamp): Timestamp => {
  const wait = outcome.type === "pending" ? askAgainAfter : afterSilence
  const again = now + wait(request.attempts + 1)
  const repeatable = request.created_at + NOT_FOUND_GRACE
  return outcome.type === "not_found" && now < repeatable ? Math.min(again, repeatable) : again
}

/** What the channel's answer, or the lack of one, does to a request. */
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

/** What a channel is to be asked to do with a charge. */
export interface ChannelTask {
  readonly action: ChannelAction
  readonly channel: string
  readonly charge_id: string
}

/** A payment as far as requests about it are concerned. */
export interface RequestedPayment {
  readonly id: string
  readonly account_id: string
  readonly channel: string | null
  readonly trade_no: string | null
  readonly amount: Money
}

/**
 * A new request to a channel about a charge of the payment. A worker makes the call at `due_at`: at
 * once, or later to let the caller make it. The payment's trade number is one of its own channel;
 * charges at other channels have trades of their own, which are not known.
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

/** The call that a request stands for. */
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

/** What the names of returns begin with; see {@link returnKey}. */
export const RETURN_KEYS = "return:"

/**
 * The name of giving the money of a trade back, which one request holds: that a hold cannot be
 * released and that it was taken are found out apart, in either order.
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

/** How channel requests are kept. */
export const channelRequestKind = defineKind("channel_request", {
  prefix: "creq",
  erased: true,
  dueAt: (request) => ("due_at" in request ? request.due_at : null),
  lists: [["payment_intent"]],
})
