import type { Health } from "../channels/Channel.ts"
import type { ChannelRefusal } from "../ports/Channels.ts"
import { Failure } from "../shared/Failure.ts"

/** Returns the channel's health after a refusal; undefined if another channel would not help. */
export const unusableFor = (refusal: ChannelRefusal): Exclude<Health, "up"> | undefined =>
  refusal.reason === "rate_limited" || refusal.reason === "down" ? refusal.reason : undefined

/**
 * Returns the failure if a channel rejects our credentials or answers nonsense (Errors). Returns
 * undefined for refusals that another channel or the payment itself deals with.
 */
export const refusedByChannel = (channel: string, refusal: ChannelRefusal) => {
  const details = { channel }
  switch (refusal.reason) {
    case "credentials":
      return new Failure({
        code: "CHANNEL_CONFIGURATION_ERROR",
        message: `The channel ${channel} refuses this service's credentials: ${refusal.message}`,
        details,
      })
    case "nonsense":
      return new Failure({
        code: "CHANNEL_ERROR",
        message: `The channel ${channel} did not make the charge: ${refusal.message}`,
        details,
      })
    default:
      return undefined
  }
}
