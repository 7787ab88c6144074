import type { Shares } from "../webhooks/deliveries/Share.ts"

export type { Shares } from "../webhooks/deliveries/Share.ts"

/** What a claim of due records is bounded by; `lease` in milliseconds. */
export interface ClaimOptions {
  readonly limit: number
  readonly lease: number
  /** For deliveries: no receiver gets more than its share, so that none keeps others waiting. */
  readonly shares?: Shares
}
