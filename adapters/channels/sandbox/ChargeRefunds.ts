import type { RefundCallback } from "../../../core/gateway/ChannelCallback.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Charge, Effected } from "./Charge.ts"

/** A refund is confirmed automatically after this time. */
export const CONFIRMS_AFTER = SECOND

const REJECTED_LATER = "the channel rejects the refund"

/** Returns the charge after some pending refunds have ended: all confirmed or all refused. */
const ended = (
  charge: Charge,
  refunds: ReadonlyArray<readonly [number: string, effect: Effected]>,
  refused: string | null,
  now: Timestamp,
): Charge => {
  const effects = refunds.map(
    ([number, { confirms_at: _, ...effect }]) => [number, { ...effect, refused, at: now }] as const,
  )
  const back = refunds.reduce((sum, [, { value = 0 }]) => sum + value, 0)
  return {
    ...charge,
    refunded: charge.refunded - (refused === null ? 0 : back),
    effects: { ...charge.effects, ...Object.fromEntries(effects) },
  }
}

/**
 * Returns the charge after the refunds due by `now` were confirmed, or have failed if the channel
 * `rejects` them. Their messages are due at `at`.
 */
export const confirmRefunds = (
  charge: Charge,
  now: Timestamp,
  rejects: boolean,
  at: Timestamp,
): Charge => {
  const due = Object.entries(charge.effects).filter(
    ([, { confirms_at }]) => confirms_at !== undefined && confirms_at <= now,
  )
  if (due.length === 0) return charge
  const messages = due.map(([number]) => ({ status: "REFUND", number, tries: 0, at }) as const)
  const after = ended(charge, due, rejects ? REJECTED_LATER : null, now)
  return { ...after, outbox: [...charge.outbox, ...messages] }
}

/** Returns the charge after a signed callback about a refund; undefined if it has ended. */
export const applyRefundCallback = (
  charge: Charge,
  callback: RefundCallback,
  now: Timestamp,
): Charge | undefined => {
  const effect = charge.effects[callback.out_request_no]
  if (effect?.confirms_at === undefined) return undefined
  const refused =
    callback.refund_status === "SUCCESS" ? null : (callback.failure_reason ?? REJECTED_LATER)
  return ended(charge, [[callback.out_request_no, effect]], refused, now)
}
