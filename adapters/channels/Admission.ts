import type { Health } from "../../core/channels/Channel.ts"
import { ChannelRefusal } from "../../core/ports/Channels.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import * as Breaker from "./http/Breaker.ts"
import { LONGEST } from "./http/retryAfter.ts"

/** Why a call failed. `broken` means that the channel is unreachable or answers nonsense. */
export interface Refused {
  readonly refusal: ChannelRefusal
  readonly broken: boolean
}

/** Decides from the channel's last answers whether it may be called now. */
export const makeAdmission = (channel: string) => {
  let breaker: Breaker.Breaker = Breaker.closed
  let limitedUntil = 0
  // After the clock was set back, `limitedUntil` may be too far ahead to be valid.
  const isLimited = (now: number) => now < limitedUntil && limitedUntil <= now + LONGEST * SECOND
  return {
    isOpen: () => breaker.type === "open",
    level: (now: number) => Breaker.levelOf(breaker, now),
    health: (now: number): Health =>
      isLimited(now) ? "rate_limited" : Breaker.isOpen(breaker, now) ? "down" : "up",
    /** Returns why a request is not sent; undefined if it may be sent. */
    refusal: (now: number): ChannelRefusal | undefined => {
      if (isLimited(now)) {
        const retry_after = Math.ceil((limitedUntil - now) / SECOND)
        const message = `${channel} is over its rate limit for ${retry_after} s.`
        return new ChannelRefusal({ reason: "rate_limited", message, retry_after })
      }
      const admission = Breaker.admit(breaker, now)
      breaker = admission.breaker
      const message = `${channel} does not answer at present. It is not called for now.`
      return admission.admitted ? undefined : new ChannelRefusal({ reason: "down", message })
    },
    /** Records an answer, or why there is none. */
    note: (refused: Refused | undefined, now: number): void => {
      const broken = refused?.broken === true
      breaker = broken ? Breaker.failed(breaker, now) : Breaker.answered(breaker)
      if (refused?.refusal.retry_after !== undefined) {
        limitedUntil = now + refused.refusal.retry_after * SECOND
      }
    },
  }
}
