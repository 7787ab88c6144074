import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { settleCapture } from "../payments/captureOutcome.ts"
import { settleDebit } from "../payments/debitOutcome.ts"
import { settleClose, settleRelease, settleReturn } from "../payments/returnOutcome.ts"
import { settleRefund } from "../refunds/refundOutcome.ts"

/** The verb that records each action's outcome, from the concept that the action belongs to. */
const SETTLE = {
  capture: settleCapture,
  release: settleRelease,
  close: settleClose,
  debit: settleDebit,
  /** A refund that somebody has asked for. */
  refund: settleRefund,
  /** Money that came too late or twice. */
  return: settleReturn,
} as const

/** Records how a channel answered a request, with what that means to whatever asked for it. */
export const settleOutcome = ({ action, id, refund }: ChannelRequest, outcome: ChannelOutcome) =>
  SETTLE[action === "refund" && refund === null ? "return" : action](id, outcome)
