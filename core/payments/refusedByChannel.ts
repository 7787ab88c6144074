import type { Health } from "../channels/Routing.ts"
import type { ChannelRefusal } from "../ports/Channels.ts"
import { Failure } from "../shared/Failure.ts"

/** What a refusal says of the channel's health; undefined when another channel would not help. */
export const unusableFor = (refusal: ChannelRefusal): Exclude<Health, "up"> | undefined =>
  refusal.reason === "rate_limited" || refusal.reason === "down" ? refusal.reason : undefined

/** The answer when a channel does not accept our credentials (Errors). */
export const refusedByChannel = (channel: string, refusal: ChannelRefusal): Failure =>
  new Failure({
    code: "CHANNEL_CONFIGURATION_ERROR",
    message: `The channel ${channel} refuses this installation's credentials: ${refusal.message}`,
    details: { channel },
  })
