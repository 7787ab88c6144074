import { Result, Schema } from "effect"
import {
  type ChannelCallback,
  TRADE_STATUSES,
  type TradeStatus,
} from "../../../core/gateway/ChannelCallback.ts"
import type { ChannelCall } from "../../../core/ports/Channels.ts"
import type { SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { Money } from "../../../core/shared/Money.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { capture, type Changed, refuse, takenOf } from "./ChargeCapture.ts"

/** A capture settles automatically after this time. */
export const SETTLES_AFTER = 2 * SECOND

/** The outcome of a call. A repeated request number always gets the same outcome. */
const Effected = Schema.Struct({
  action: Schema.Literals(["capture", "release", "close", "refund", "debit"]),
  refused: Schema.NullOr(Schema.String),
  at: Schema.Finite,
  /** The part of the amount that the call is about, in minor units; absent for all of it. */
  value: Schema.optionalKey(Schema.Int),
  /** When an accepted refund is confirmed; absent afterwards, and for other calls. */
  confirms_at: Schema.optionalKey(Schema.Finite),
})
export type Effected = typeof Effected.Type

/** A callback that has not been answered yet. */
const Message = Schema.Struct({
  status: Schema.Literals([...TRADE_STATUSES, "REFUND"]),
  /** For a message about a refund: the number of its request. */
  number: Schema.optionalKey(Schema.String),
  tries: Schema.Int,
  /** The time of sending, or of sending again. */
  at: Schema.Finite,
})
export type Message = typeof Message.Type

/** A charge in a sandbox channel's own books. */
export const Charge = Schema.Struct({
  channel: Schema.String,
  out_trade_no: Schema.String,
  /** The account that created the payment. Only processes of version 0.1.0 read it. */
  account_id: Schema.String,
  flow: Schema.Literals(["request_payment", "one_time_pay"]),
  trade_no: Schema.String,
  amount: Money,
  /** The captured part of the amount, in minor units; absent for the whole. */
  captured: Schema.optionalKey(Schema.Int),
  /** The refunded part of the captured money, in minor units. */
  refunded: Schema.Int,
  /** When money was paid without a capture: by link, or as a signed callback reported. */
  paid_at: Schema.optionalKey(Schema.Finite),
  state: Schema.Literals([
    "open",
    "scanned",
    "authorized",
    "captured",
    "settled",
    "failed",
    "rejected",
    "closed",
    "released",
  ]),
  payer_id: Schema.String,
  wallet_id: Schema.String,
  /** When captured money settles automatically; null if it does not. */
  settle_at: Schema.NullOr(Schema.Finite),
  effects: Schema.Record(Schema.String, Effected),
  outbox: Schema.Array(Message),
})
export type Charge = typeof Charge.Type
export type ChargeState = Charge["state"]

interface Step {
  readonly to: ChargeState
  readonly callbacks: ReadonlyArray<TradeStatus>
}

type Wallet = {
  readonly [A in SimulatedAction]: { readonly [S in ChargeState]?: Step }
}

const step = (to: ChargeState, ...callbacks: ReadonlyArray<TradeStatus>): Step => ({
  to,
  callbacks,
})
const rejected = step("rejected", "REJECTED")
const poor = step("rejected", "INSUFFICIENT_BALANCE")
const closed = step("closed", "CLOSED")
const settled = step("settled", "SUCCESS")

const shared: Omit<Wallet, "settle" | "pay"> = {
  scan: { open: step("scanned", "SCANNED") },
  authorize: {
    open: step("authorized", "AUTHORIZED"),
    scanned: step("authorized", "AUTHORIZED"),
  },
  reject: { open: rejected, scanned: rejected },
  insufficient_balance: { open: poor, scanned: poor },
  close: { open: closed, scanned: closed, authorized: closed },
}

/** The actions of a payer's wallet on a charge in each state, and the callbacks that follow. */
const wallets: { readonly [F in Charge["flow"]]: Wallet } = {
  request_payment: {
    ...shared,
    settle: { captured: settled },
    pay: {
      open: step("authorized", "SCANNED", "AUTHORIZED"),
      scanned: step("authorized", "AUTHORIZED"),
      captured: settled,
    },
  },
  one_time_pay: {
    ...shared,
    settle: { authorized: settled },
    pay: { open: settled, scanned: settled, authorized: settled },
  },
}

const outboxWith = (charge: Charge, callbacks: ReadonlyArray<TradeStatus>, at: Timestamp) => [
  ...charge.outbox,
  ...callbacks.map((status) => ({ status, tries: 0, at })),
]

/**
 * Returns the charge after the wallet's action at `now`, with its messages due at `at`. Undefined
 * if the charge does not allow the action.
 */
export const applyWalletAction = (
  charge: Charge,
  action: SimulatedAction,
  now: Timestamp,
  at: Timestamp,
): Charge | undefined => {
  const taken = wallets[charge.flow][action][charge.state]
  return (
    taken && {
      ...charge,
      state: taken.to,
      settle_at: null,
      ...paidBy(charge, taken.to, now),
      outbox: outboxWith(charge, taken.callbacks, at),
    }
  )
}

/**
 * Whether the wallet has done that, and some messages about it are unanswered: the sending process
 * may have died.
 */
export const isHalfTold = ({ flow, outbox, state }: Charge, action: SimulatedAction): boolean =>
  outbox.length > 0 && Object.values(wallets[flow][action]).some(({ to }) => to === state)

/** Records when money was paid without a capture. */
const paidBy = (charge: Charge, to: ChargeState, now: Timestamp): { readonly paid_at?: number } =>
  to === "settled" && charge.state !== "captured" ? { paid_at: now } : {}

/** Returns the charge after its captured money has settled. */
export const settle = (charge: Charge, at: Timestamp): Charge => ({
  ...charge,
  state: "settled",
  settle_at: null,
  outbox: outboxWith(charge, ["SUCCESS"], at),
})

const moved = (charge: Charge, state: ChargeState): Changed =>
  Result.succeed({ ...charge, state, settle_at: null })

const refund = (charge: Charge, value: number): Changed => {
  if (charge.state !== "captured" && charge.state !== "settled") {
    return refuse(charge, "there is nothing to refund")
  }
  const refunded = charge.refunded + value
  return refunded > takenOf(charge).value
    ? refuse(charge, "no more than was paid can be refunded")
    : Result.succeed({ ...charge, refunded })
}

const close = (charge: Charge): Changed => {
  switch (charge.state) {
    case "open":
    case "scanned":
    case "authorized":
      return moved(charge, "closed")
    case "rejected":
    case "closed":
    case "released":
      return Result.succeed(charge)
    default:
      return refuse(charge, "it has been paid")
  }
}

/** A debit is paid at once, like a link. */
const debit = (charge: Charge, at: Timestamp): Changed =>
  charge.flow === "one_time_pay" && charge.state === "open"
    ? Result.succeed({ ...charge, state: "settled", paid_at: at })
    : refuse(charge, "there is nothing to debit")

/** Returns the charge after a call, or why the channel refuses the call. */
export const applyCall = (
  charge: Charge,
  call: ChannelCall,
  at: Timestamp,
  settleAt: Timestamp | null,
): Changed => {
  switch (call.action) {
    case "debit":
      return debit(charge, at)
    case "capture":
      return capture(charge, call.amount.value, settleAt)
    case "release":
      // A charge that was closed meanwhile no longer holds the money.
      if (charge.state === "closed" || charge.state === "released") return Result.succeed(charge)
      return charge.state === "authorized"
        ? moved(charge, "released")
        : refuse(charge, "nothing is held")
    case "close":
      return close(charge)
    case "refund":
      return refund(charge, call.amount.value)
  }
}

/** The state that a callback reports, and the states that it changes. */
interface CallbackEffect {
  readonly to: ChargeState
  readonly from: ReadonlyArray<ChargeState>
}

const CALLBACK_EFFECTS: { readonly [S in TradeStatus]: CallbackEffect } = {
  SCANNED: { to: "scanned", from: ["open"] },
  AUTHORIZED: { to: "authorized", from: ["open", "scanned", "rejected", "closed"] },
  SUCCESS: {
    to: "settled",
    from: ["open", "scanned", "authorized", "captured", "rejected", "closed", "released"],
  },
  REJECTED: { to: "rejected", from: ["open", "scanned", "authorized"] },
  INSUFFICIENT_BALANCE: { to: "rejected", from: ["open", "scanned", "authorized"] },
  CLOSED: { to: "closed", from: ["open", "scanned", "authorized"] },
  SETTLEMENT_FAILED: { to: "failed", from: ["captured"] },
}

const OVER: ReadonlyArray<ChargeState> = ["rejected", "closed", "released"]

/**
 * Returns the charge after a signed callback; undefined if the books already know that or more. A
 * finished charge accepts only money of another trade: old messages do not reopen it.
 */
export const applyCallback = (
  charge: Charge,
  callback: ChannelCallback,
  now: Timestamp,
): Charge | undefined => {
  const { from, to } = CALLBACK_EFFECTS[callback.trade_status]
  const over = OVER.includes(charge.state)
  if (!from.includes(charge.state)) return undefined
  if (over && charge.trade_no === callback.trade_no) return undefined
  return {
    ...charge,
    state: to,
    settle_at: null,
    ...paidBy(charge, to, now),
    trade_no: charge.state === "open" || over ? callback.trade_no : charge.trade_no,
    payer_id: callback.payer_id ?? charge.payer_id,
    wallet_id: callback.wallet_id ?? charge.wallet_id,
  }
}

/** Returns when the charge is due: to settle, to confirm a refund or to send a message. */
export const dueAt = (charge: Charge): Timestamp | null => {
  const times = charge.outbox.map(({ at }) => at)
  for (const { confirms_at } of Object.values(charge.effects)) {
    if (confirms_at !== undefined) times.push(confirms_at)
  }
  if (charge.settle_at !== null) times.push(charge.settle_at)
  return times.length === 0 ? null : Math.min(...times)
}
