import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { settleCapture } from "../payments/captureOutcome.ts"
import { settleDebit } from "../payments/debitOutcome.ts"
import { settleClose, settleRelease, settleReturn } from "../payments/returnOutcome.ts"
import { settleRefund } from "../refunds/refundOutcome.ts"

/** The verbs that record each action's outcome, in the folder that the action belongs to. */
const SETTLE = {
  capture: settleCapture,
  release: settleRelease,
  close: settleClose,
  debit: settleDebit,
  /** A refund that a caller has requested. */
  refund: settleRefund,
  /** Money that came too late or twice. */
  return: settleReturn,
} as const

/** Records a channel's answer to a request and its consequences for the payment or refund. */
export const settleOutcome = ({ action, id, refund }: ChannelRequest, outcome: ChannelOutcome) =>
  SETTLE[action === "refund" && refund === null ? "return" : action](id, outcome)
