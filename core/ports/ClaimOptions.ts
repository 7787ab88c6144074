import type { Shares } from "../webhooks/deliveries/Share.ts"

export type { Shares } from "../webhooks/deliveries/Share.ts"

/** The limits of a claim of due records. `lease` is in milliseconds. */
export interface ClaimOptions {
  readonly limit: number
  readonly lease: number
  /** For kinds with receivers: none gets more than its share, so that none makes others wait. */
  readonly shares?: Shares
}
