/** Exchanges to be made one after the other on each connection: 402, payment, 200. */
export interface ExchangeJob {
  /** What is sold, by whom it is. */
  readonly url: string
  readonly connections: number
  /** How long exchanges are begun. */
  readonly milliseconds: number
  /** Who tells of payments, and whom; where it is null, a signature pays. */
  readonly channel: Channel | null
}

/** The payer's channel, which tells the service at the address that somebody has paid. */
export interface Channel {
  readonly url: string
  readonly name: string
  /** What it signs with. */
  readonly secret: string
}

/** What came of it; `flaw` is the first answer that was not what it had to be. */
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

/** How a shop is paid: at payport, or as its facilitator says. */
export type Till =
  | { readonly payport: { readonly baseUrl: string; readonly apiKey: string }; service: string }
  | { readonly facilitator: string }
