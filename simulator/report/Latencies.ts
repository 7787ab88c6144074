/** How long something took, in buckets: below 1 ms, 2 ms, 4 ms and so on, doubling. */
export type Buckets = ReadonlyArray<number>

const BUCKETS = 28

/** The upper end of a bucket, in milliseconds. */
export const bucketEnd = (bucket: number): number => 2 ** bucket

/** How long things took in virtual time, by what they were. */
export class Latencies {
  readonly #buckets = new Map<string, Array<number>>()

  measure(what: string, millis: number): void {
    const buckets = this.#buckets.get(what) ?? Array.from({ length: BUCKETS }, () => 0)
    this.#buckets.set(what, buckets)
    const bucket = Math.min(BUCKETS - 1, millis < 1 ? 0 : Math.floor(Math.log2(millis)) + 1)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }

  /** The buckets by what was measured, in the order of the names. */
  counts(): { readonly [what: string]: Buckets } {
    return Object.fromEntries([...this.#buckets].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The end of the bucket below which that part of all cases is; 0 where there were none. */
export const quantile = (buckets: Buckets, part: number): number => {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const [bucket, count] of buckets.entries()) {
    seen += count
    if (total > 0 && seen >= part * total) return bucketEnd(bucket)
  }
  return 0
}
