import type { Migration } from "./Migration.ts"

/** The agents of accounts with the level of verification that is in force for each. */
export const agents: Migration = {
  id: 9,
  name: "agents",
  statements: [
    `CREATE TABLE agents (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      agent_id text NOT NULL,
      level text NOT NULL CHECK (level IN ('anonymous', 'basic', 'enhanced', 'business')),
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT agents_agent_taken UNIQUE (account_id, agent_id)
    )`,
    `ALTER TABLE payment_intents ADD COLUMN spending json
      CHECK (json_typeof(spending) = 'object')`,
  ],
}
