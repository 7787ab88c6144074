import type { Migration } from "./Migration.ts"

/** Verifications of agents, appeals against them, and the codes that were sent lately. */
export const identity: Migration = {
  id: 10,
  name: "identity",
  statements: [
    `ALTER TABLE agents ADD COLUMN verified json NOT NULL DEFAULT '[]'
      CHECK (json_typeof(verified) = 'array')`,
    `CREATE TABLE verifications (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      agent_id text NOT NULL,
      agent uuid NOT NULL,
      level text NOT NULL CHECK (level IN ('anonymous', 'basic', 'enhanced', 'business')),
      status text NOT NULL CHECK (status IN ('pending', 'verified', 'rejected', 'expired')),
      sealed text,
      confirmed_channels text[] NOT NULL,
      challenge json CHECK (json_typeof(challenge) = 'object'
        AND (challenge->>'attempts')::integer BETWEEN 0 AND 5),
      tries integer CHECK (tries >= 0),
      retry_at timestamptz(3),
      verified_at timestamptz(3),
      expires_at timestamptz(3),
      noticed boolean,
      rejection json CHECK (json_typeof(rejection) = 'object'),
      appeal_id uuid,
      keep_until timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      due_at timestamptz(3),
      lease_until timestamptz(3),
      CONSTRAINT verifications_facts CHECK (
        (challenge IS NULL OR status = 'pending')
        AND (tries IS NOT NULL) = (status = 'pending')
        AND (retry_at IS NULL OR status = 'pending')
        AND (verified_at IS NOT NULL) = (status IN ('verified', 'expired'))
        AND (expires_at IS NULL OR status IN ('verified', 'expired'))
        AND (noticed IS NOT NULL) = (status = 'verified')
        AND (rejection IS NOT NULL) = (status = 'rejected')
        AND (appeal_id IS NULL OR status = 'rejected')
        AND created_at <= updated_at)
    )`,
    `CREATE INDEX verifications_account ON verifications (account_id, id)`,
    `CREATE INDEX verifications_agent ON verifications (agent, id)`,
    `CREATE INDEX verifications_due ON verifications (due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE TABLE appeals (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      account_id uuid NOT NULL,
      verification_id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('under_review', 'upheld', 'overturned')),
      estimated_resolution timestamptz(3) NOT NULL,
      resolved_at timestamptz(3) CHECK ((resolved_at IS NULL) = (status = 'under_review')),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )`,
    `CREATE INDEX appeals_account ON appeals (account_id, id)`,
    `CREATE TABLE otp_allowances (
      id uuid PRIMARY KEY,
      version integer NOT NULL CHECK (version >= 1),
      sent json NOT NULL CHECK (json_typeof(sent) = 'array' AND json_array_length(sent) <= 5),
      locked_until timestamptz(3),
      due_at timestamptz(3),
      lease_until timestamptz(3)
    )`,
    `CREATE INDEX otp_allowances_due ON otp_allowances (due_at, id) WHERE due_at IS NOT NULL`,
  ],
}
