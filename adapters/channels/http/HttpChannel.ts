import type { Redacted } from "effect"

/** A channel of the installation that speaks the protocol of this folder's README. */
export interface HttpChannel {
  readonly channel: string
  /** Where its gateway is, without a slash at the end. */
  readonly base_url: string
  /** Who we are to the channel, and what our requests and its answers are signed with. */
  readonly key_id: string
  readonly secret: Redacted.Redacted
  /** What its callbacks are signed with. */
  readonly callback_secret: Redacted.Redacted
  /** Milliseconds for a request that moves money or makes a charge. */
  readonly timeout_ms: number
}
