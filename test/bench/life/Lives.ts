/** The steps of a payment's life, each a request. */
export const STAGES = ["create", "scan", "authorize", "capture", "settle"] as const
export type Stage = (typeof STAGES)[number]

/** Payments to be brought through some of the steps. */
export interface LivesJob {
  /** The base URL of the service. */
  readonly url: string
  readonly sellerKey: string
  readonly buyerKey: string
  /** The body of a creation. */
  readonly body: string
  readonly channel: string
  /** What the channel signs its callbacks with. */
  readonly secret: string
  /** How many requests are under way at a time. */
  readonly connections: number
  /** What each payment goes through, one after the other. */
  readonly stages: ReadonlyArray<Stage>
  /** The payments: how many new ones, or the ids of those that there are. */
  readonly payments: number | ReadonlyArray<string>
}

/** What came of it; `flaw` is the first answer that was not what it had to be. */
export interface LivesOutcome {
  readonly ids: ReadonlyArray<string>
  /** Milliseconds from the first request to the last answer. */
  readonly milliseconds: number
  readonly flaw: string | undefined
}
