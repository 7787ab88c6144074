import type { Health } from "../channels/Channel.ts"
import type { ChannelRefusal } from "../ports/Channels.ts"
import { Failure } from "../shared/Failure.ts"

/** What a refusal says of the channel's health; undefined when another channel would not help. */
export const unusableFor = (refusal: ChannelRefusal): Exclude<Health, "up"> | undefined =>
  refusal.reason === "rate_limited" || refusal.reason === "down" ? refusal.reason : undefined

/**
 * The answer when a channel does not accept our credentials or answers nonsense (Errors); undefined
 * for what another channel, or the payment itself, answers for.
 */
export const refusedByChannel = (channel: string, refusal: ChannelRefusal) => {
  const details = { channel }
  switch (refusal.reason) {
    case "credentials":
      return new Failure({
        code: "CHANNEL_CONFIGURATION_ERROR",
        message: `The channel ${channel} refuses our credentials: ${refusal.message}`,
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
