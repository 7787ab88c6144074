/** A refusal as far as it decides whether a repetition is given it again. */
interface Refusal {
  readonly code: string
  readonly status: number
  /** In seconds; undefined where nothing is gained by waiting. */
  readonly retry_after?: number | undefined
}

/** The same request may be answered otherwise next time: its key stays free. */
const FREE: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 415, 429])

/**
 * Whether a refusal is kept under its `Idempotency-Key` and given to every repetition (Request
 * Payment, headers). Those of the keys themselves are not, nor is one that says when to come back.
 */
export const isKeptRefusal = ({ code, retry_after, status }: Refusal): boolean =>
  !FREE.has(status) &&
  status < 500 &&
  retry_after === undefined &&
  code !== "IDEMPOTENCY_KEY_USED" &&
  code !== "IDEMPOTENCY_KEY_IN_PROGRESS"
