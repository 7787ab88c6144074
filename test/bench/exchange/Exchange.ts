/** Exchanges to be made one after the other on each connection: 402, payment, 200. */
export interface ExchangeJob {
  /** The URL of the priced resource, by its seller. */
  readonly url: string
  readonly connections: number
  /** For how long exchanges are started. */
  readonly milliseconds: number
  /** The channel that reports payments to the service; null if a signature pays. */
  readonly channel: Channel | null
}

/** The payer's channel, which calls the service at the address when somebody has paid. */
export interface Channel {
  readonly url: string
  readonly name: string
  /** The secret that signs its callbacks. */
  readonly secret: string
}

/** The result; `flaw` describes the first wrong answer. */
export interface ExchangeOutcome {
  readonly exchanges: number
  /** Milliseconds from the first request to the last answer. */
  readonly milliseconds: number
  /** Milliseconds that 99 of 100 exchanges stay within, from their first request to the 200. */
  readonly p99: number
  /** Seconds that the load itself kept a core busy. */
  readonly cpu: number
  readonly flaw: string | undefined
}

/** The way to pay a shop: at payport, or as its facilitator demands. */
export type Till =
  | { readonly payport: { readonly baseUrl: string; readonly apiKey: string }; service: string }
  | { readonly facilitator: string }
