/** How many records of one receiver a claim hands out. */
export interface Shares {
  /** Of a receiver that `left` does not name. */
  readonly each: number
  readonly left: ReadonlyMap<string, number>
}

/** What a claim of due records is bounded by; `lease` in milliseconds. */
export interface ClaimOptions {
  readonly limit: number
  readonly lease: number
  /** For deliveries: no receiver gets more than its share, so that none keeps others waiting. */
  readonly shares?: Shares
}
