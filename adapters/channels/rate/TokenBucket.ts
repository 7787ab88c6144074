import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/**
 * What may still be sent in a second: `tokens` at the time `at`, refilled evenly. A negative number
 * is what has been promised to those who wait.
 */
export interface TokenBucket {
  readonly tokens: number
  readonly at: Timestamp
}

/** A bucket that holds a second's worth. */
export const full = (rate: number, now: Timestamp): TokenBucket => ({ tokens: rate, at: now })

/** The bucket as it is at a time; a clock that was set back refills nothing. */
const refilled = ({ at, tokens }: TokenBucket, rate: number, now: Timestamp): TokenBucket => ({
  tokens: Math.min(rate, tokens + (Math.max(0, now - at) * rate) / SECOND),
  at: now,
})

/** Whether a token is left. */
export const hasToken = (bucket: TokenBucket, rate: number, now: Timestamp): boolean =>
  refilled(bucket, rate, now).tokens >= 1

/** The bucket after a token was taken out of it; undefined when none is left. */
export const take = (bucket: TokenBucket, rate: number, now: Timestamp): TokenBucket | undefined =>
  hasToken(bucket, rate, now) ? promise(bucket, rate, now).bucket : undefined

/** Takes a token that may still have to come, and tells after how many milliseconds it does. */
export const promise = (
  bucket: TokenBucket,
  rate: number,
  now: Timestamp,
): { readonly bucket: TokenBucket; readonly wait: number } => {
  const { at, tokens } = refilled(bucket, rate, now)
  const left = tokens - 1
  return { bucket: { tokens: left, at }, wait: left >= 0 ? 0 : Math.ceil((-left * SECOND) / rate) }
}
