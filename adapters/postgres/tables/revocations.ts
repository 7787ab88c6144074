import type { RevocationError } from "../../../core/revocations/Revocation.ts"
import { TARGET_TYPES } from "../../../core/registry/RevocationTarget.ts"
import {
  text,
  boolean,
  integer,
  uuid,
  word,
  checked,
  timestamp,
  id,
  nullable,
  version,
  count,
} from "./codecs.ts"
import { part, type Group } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

const error: Group<RevocationError | null> = {
  parts: {
    error_code: part(nullable(text), (given) => given?.code ?? null),
    error_message: part(nullable(text), (given) => given?.message ?? null),
  },
  restore: ({ error_code, error_message }) =>
    error_code === null
      ? null
      : { code: error_code as RevocationError["code"], message: error_message as string },
}

export const revocations = makeStateTable({
  kind: "revocation",
  name: "revocations",
  fields: {
    id: id("rvk"),
    version,
    account_id: id("acct"),
    refund: id("ref"),
    payment_intent: id("pi"),
    service_id: uuid,
    position: count,
    batch_size: integer,
    target_type: word(...TARGET_TYPES),
    target_id: text,
    scope: text,
    notify: boolean,
    strict: boolean,
    attempts: checked(integer, "… BETWEEN 0 AND 4"),
    error,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  states: {
    pending: {},
    revoked: { revoked_at: timestamp },
    failed: { failed_at: timestamp },
    expired: { revoked_at: timestamp },
  },
  constraints: {
    revocations_position: "position < batch_size",
    revocations_ended: `(status <> 'failed' OR error_code IS NOT NULL)
      AND (status NOT IN ('failed', 'expired') OR due_at IS NULL)
      AND (error_code IS NULL) = (error_message IS NULL)`,
  },
})
