/** The last argument of every method. */
export interface RequestOptions {
  /** Stops waiting, also for `rotate`. The method then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt, and of `rotate`, in milliseconds; 30,000 by default. */
  readonly timeout?: number | undefined
  /** The most repetitions of a repeatable request; 3 by default. */
  readonly retries?: number | undefined
  /**
   * The longest wait before a repetition that the service may ask for (`Retry-After`), in
   * milliseconds; 60,000 by default. If it asks for a longer one, the method rejects at once with
   * `PayportError`, whose `retry_after` is that wait in seconds.
   */
  readonly maxRetryAfter?: number | undefined
  /**
   * 1 to 255 visible ASCII characters. The same POST under the same key takes effect once. By
   * default each POST gets its own key, so that its repetitions are safe.
   */
  readonly idempotencyKey?: string | undefined
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The options of a client. */
export interface ClientOptions extends Pick<
  RequestOptions,
  "maxRetryAfter" | "retries" | "timeout"
> {
  /** Such as `http://127.0.0.1:4020`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Fetches another key after a 401. The request is then repeated once. */
  readonly rotate?: (() => Promise<string>) | undefined
  /** Sends the requests; by default the global `fetch`. */
  readonly fetch?: Fetch | undefined
}
