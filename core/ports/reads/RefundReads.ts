import type { Refund } from "../../refunds/Refund.ts"
import type { RefundQuery } from "../../refunds/RefundQuery.ts"
import type { AccessItem } from "../../revocations/AccessItem.ts"
import type { Revocation } from "../../revocations/Revocation.ts"
import type { Read } from "./Read.ts"

/** What was given back, and what that took away (Refunds and revocations). */
export interface RefundReads {
  readonly listRefunds: (query: RefundQuery) => Read<ReadonlyArray<Refund>>
  /** The seller's own item of that key. */
  readonly findAccessItem: (accountId: string, itemKey: string) => Read<AccessItem | undefined>
  /** Whether another seller has registered an item of that key. */
  readonly isOthersAccessItem: (accountId: string, itemKey: string) => Read<boolean>
  /** What is registered for a payment, oldest first. */
  readonly listAccessItems: (intentId: string) => Read<ReadonlyArray<AccessItem>>
  /** A refund's, in the order of its targets. */
  readonly listRevocations: (refundId: string) => Read<ReadonlyArray<Revocation>>
  /** All those of several refunds, in any order. */
  readonly listRevocationsOf: (refundIds: ReadonlyArray<string>) => Read<ReadonlyArray<Revocation>>
  /** Whether a revocation of all access that has not failed belongs to the payment. */
  readonly isAllRevoked: (intentId: string) => Read<boolean>
}
