import type { Redacted } from "effect"

/** A channel of the installation that speaks the protocol of this folder's README. */
export interface HttpChannel {
  readonly channel: string
  /** The URL of its gateway, without a slash at the end. */
  readonly base_url: string
  /** Identifies payport to the channel; `secret` signs requests and answers. */
  readonly key_id: string
  readonly secret: Redacted.Redacted
  /** Signs its callbacks. */
  readonly callback_secret: Redacted.Redacted
  /** Milliseconds for a request that moves money or makes a charge. */
  readonly timeout_ms: number
}
