import type { Migration } from "./Migration.ts"

/** How often a silent channel was asked after a payment. */
export const channelAsks: Migration = {
  id: 8,
  name: "channels",
  statements: [
    `ALTER TABLE payment_intents ADD COLUMN channel_asks integer CHECK (channel_asks >= 0)`,
  ],
}
