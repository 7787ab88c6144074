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
  /** The secret that signs the channel's callbacks. */
  readonly secret: string
  /** The number of simultaneous requests. */
  readonly connections: number
  /** The stages of each payment, one after the other. */
  readonly stages: ReadonlyArray<Stage>
  /** The payments: how many new ones, or the ids of those that there are. */
  readonly payments: number | ReadonlyArray<string>
}

/** The result; `flaw` describes the first wrong answer. */
export interface LivesOutcome {
  readonly ids: ReadonlyArray<string>
  /** Milliseconds from the first request to the last answer. */
  readonly milliseconds: number
  readonly flaw: string | undefined
}
