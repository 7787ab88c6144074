import { Effect } from "effect"
import type { Channels } from "../../../core/ports/Channels.ts"
import type { Revoker } from "../../../core/ports/Revoker.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Auditor } from "../../auditor/Auditor.ts"

/** Shows the auditor every call to a channel, in the moment in which it is made. */
export const watchedChannels = (
  channels: Channels["Service"],
  auditor: Auditor,
  now: () => Timestamp,
): Channels["Service"] => ({
  ...channels,
  call: (call) =>
    Effect.suspend(() => {
      auditor.see("call", call.out_trade_no, { call, at: now() })
      return channels.call(call)
    }),
})

/** Shows the auditor every order to revoke, in the moment in which it is given. */
export const watchedRevoker = (
  revoker: Revoker["Service"],
  auditor: Auditor,
  now: () => Timestamp,
  heldUp: (order: object) => number,
): Revoker["Service"] => ({
  revoke: (order) =>
    Effect.suspend(() => {
      auditor.order({ order, at: now(), held_up: heldUp(order) })
      return revoker.revoke(order)
    }),
})
