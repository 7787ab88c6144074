/** The outcome of sending a webhook: the receiver's answer, or why there was none. */
export interface WebhookOutcome {
  readonly status: number | null
  readonly duration_ms: number
  readonly error?: string
  /** The first KiB of the answer. */
  readonly response?: string
}
