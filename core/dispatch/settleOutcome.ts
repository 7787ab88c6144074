import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { settleCapture } from "../payments/captureOutcome.ts"
import { settleDebit } from "../payments/debitOutcome.ts"
import { settleClose, settleRelease, settleReturn } from "../payments/returnOutcome.ts"
import { settleRefund } from "../refunds/refundOutcome.ts"

/** What each action's outcome means is said where its concept lives. */
const SETTLE = {
  capture: settleCapture,
  release: settleRelease,
  close: settleClose,
  debit: settleDebit,
  /** Money that goes back because somebody has asked for it. */
  refund: settleRefund,
  /** Money that goes back because it came too late or twice. */
  return: settleReturn,
} as const

/** Records how a channel answered a request, with what that means to whatever asked for it. */
export const settleOutcome = ({ action, id, refund }: ChannelRequest, outcome: ChannelOutcome) =>
  SETTLE[action === "refund" && refund === null ? "return" : action](id, outcome)
