/** A placeholder in requests that is replaced by a new key each time. */
export const KEY = "00000000-0000-7000-8000-000000000000"

/** A job for the load on a service; it can be sent as JSON. */
export interface Job {
  /** The base URL of the service, over http or https. */
  readonly url: string
  readonly connections: number
  readonly key: string
  readonly request:
    /** Creations with the body, each under a new Idempotency-Key. `link` uses One-Time Pay. */
    | { readonly type: "create" | "link"; readonly body: string }
    /** Calls of an MCP tool with the arguments, in which `KEY` makes each a different purchase. */
    | { readonly type: "tool"; readonly name: string; readonly arguments: object }
    /** Reads of random intents, whose ids end in 1 to `count` as 12 hexadecimal digits. */
    | { readonly type: "get"; readonly idPrefix: string; readonly count: number }
  /** Milliseconds before counting starts. */
  readonly warmUp: number
  /** Milliseconds of counting; or how many requests, from the first. */
  readonly until: { readonly milliseconds: number } | { readonly requests: number }
}

/** The result of a job. */
export interface Outcome {
  /** Right answers while counting. */
  readonly answered: number
  /** Right answers in all. */
  readonly acknowledged: number
  readonly errors: number
  readonly examples: ReadonlyArray<string>
  /** Answers a second while counting. */
  readonly rate: number
  /** Milliseconds that answers took while counting. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly most: number }
  /** Seconds that the load itself kept a core busy, in all. */
  readonly cpu: number
}
