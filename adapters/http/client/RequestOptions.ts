/** What every method can be given last. */
export interface RequestOptions {
  /** Gives up waiting; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds that one attempt may take; 30,000 without it. */
  readonly timeout?: number
  /** How often a request is repeated that may be; three times without it. */
  readonly retries?: number
  /**
   * 1 to 255 visible ASCII characters: the same POST under the same key is done once. Each has one
   * of its own without it, so that its repetitions are harmless.
   */
  readonly idempotencyKey?: string
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The options of a client. */
export interface ClientOptions extends Pick<RequestOptions, "retries" | "timeout"> {
  /** Such as `http://127.0.0.1:4020`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Fetches another key after a 401; the request is then repeated once. */
  readonly rotate?: () => Promise<string>
  /** What requests are sent by; the global `fetch` without it. */
  readonly fetch?: Fetch
}
