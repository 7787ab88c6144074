import type { Shares } from "../webhooks/deliveries/Share.ts"

export type { Shares } from "../webhooks/deliveries/Share.ts"

/** The limits of a claim of due records. `lease` and `ahead` are in milliseconds. */
export interface ClaimOptions {
  readonly limit: number
  readonly lease: number
  /**
   * How far the caller's clock is ahead of the store's; 0 by default. Leases begin and end by the
   * store's clock, so that callers whose clocks differ never hold one record together.
   */
  readonly ahead?: number
  /** For kinds with receivers: none gets more than its share, so that none makes others wait. */
  readonly shares?: Shares
}
