import type { Migration } from "./Migration.ts"

/** What a payment costs its payee, in the settlement currency's minor units. */
export const feesAndQuotes: Migration = {
  id: 4,
  name: "fees_and_quotes",
  statements: [
    `ALTER TABLE payment_intents
      ADD COLUMN service_fee bigint CHECK (service_fee >= 0),
      ADD COLUMN fx_spread bigint CHECK (fx_spread >= 0),
      ADD COLUMN channel_fee bigint CHECK (channel_fee >= 0),
      ADD CONSTRAINT payment_intents_fees
        CHECK (num_nulls(service_fee, fx_spread, channel_fee) IN (0, 3))`,
  ],
}
