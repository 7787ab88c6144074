import type { Migration } from "./Migration.ts"

/**
 * What a payment costs its payee, in the settlement currency's minor units; and prices promised to
 * an account for a minute and one payment.
 */
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
    `CREATE TABLE quotes (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      service_id uuid,
      amount_currency text NOT NULL CHECK (length(amount_currency) = 3),
      amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
      settlement_currency text NOT NULL CHECK (length(settlement_currency) = 3),
      routes json NOT NULL CHECK (json_typeof(routes) = 'array'),
      payment_intent uuid,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      CHECK (created_at <= expires_at)
    )`,
    `CREATE INDEX quotes_account ON quotes (account_id, id)`,
    `CREATE INDEX quotes_due ON quotes (due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
