import type { Migration } from "./Migration.ts"

/** Refunds, what of a payment has gone back, and the request that carries a refund out. */
export const refunds: Migration = {
  id: 6,
  name: "refunds",
  statements: [
    `ALTER TABLE payment_intents
      ADD COLUMN refunded_value bigint NOT NULL DEFAULT 0,
      ADD COLUMN refunded_settlement bigint NOT NULL DEFAULT 0,
      ADD COLUMN refunded_fx_spread bigint NOT NULL DEFAULT 0,
      ADD COLUMN refunded_service_fee bigint NOT NULL DEFAULT 0,
      ADD COLUMN partial_refunds integer NOT NULL DEFAULT 0,
      ADD CONSTRAINT payment_intents_refunded CHECK (
        refunded_value BETWEEN 0 AND amount_value
        AND refunded_settlement BETWEEN 0 AND settlement_value
        AND refunded_fx_spread BETWEEN 0 AND coalesce(fx_spread, 0)
        AND refunded_service_fee BETWEEN 0 AND coalesce(service_fee, 0)
        AND partial_refunds >= 0
        AND (refunded_value = 0
          OR status IN ('captured', 'succeeded', 'completed', 'failed')))`,
    `ALTER TABLE channel_requests
      ADD COLUMN refund uuid CHECK (refund IS NULL OR action = 'refund')`,
    `CREATE TABLE refunds (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
      payment_intent uuid NOT NULL,
      account_id uuid NOT NULL,
      payee_account_id uuid NOT NULL,
      service_id uuid NOT NULL,
      amount_currency text NOT NULL CHECK (length(amount_currency) = 3),
      amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
      settlement_currency text NOT NULL CHECK (length(settlement_currency) = 3),
      settlement_value bigint NOT NULL CHECK (settlement_value >= 0),
      fx_spread bigint NOT NULL CHECK (fx_spread >= 0),
      service_fee bigint NOT NULL CHECK (service_fee BETWEEN 0 AND settlement_value),
      partial boolean NOT NULL,
      reason text,
      description text,
      revoke json CHECK (json_typeof(revoke) = 'object'),
      channel text NOT NULL,
      channel_request uuid NOT NULL CONSTRAINT refunds_channel_request_taken UNIQUE,
      succeeded_at timestamptz(3),
      failed_at timestamptz(3),
      channel_reason text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CHECK ((succeeded_at IS NOT NULL) = (status = 'succeeded')
        AND (failed_at IS NOT NULL) = (status = 'failed')
        AND (channel_reason IS NOT NULL) = (status = 'failed')
        AND created_at <= updated_at)
    )`,
    `CREATE INDEX refunds_intent ON refunds (payment_intent, id)`,
    `CREATE INDEX refunds_payee ON refunds (payee_account_id, id)`,
    `CREATE INDEX refunds_account ON refunds (account_id, id)`,
  ],
}
