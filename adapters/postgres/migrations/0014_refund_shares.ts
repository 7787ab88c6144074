import type { Migration } from "./Migration.ts"

/**
 * Each share of a refund is rounded by itself, so that a very small one can get back a fee of one
 * minor unit and give back none of the settlement.
 */
export const refundShares: Migration = {
  id: 14,
  name: "refund_shares",
  statements: [
    `ALTER TABLE refunds
      DROP CONSTRAINT refunds_check,
      ADD CONSTRAINT refunds_service_fee CHECK (service_fee >= 0)`,
  ],
}
