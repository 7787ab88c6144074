import type { RevocationError } from "../../../core/revocations/Revocation.ts"
import { TARGET_TYPES } from "../../../core/registry/RevocationTarget.ts"
import * as column from "./codecs.ts"
import { part, type Group } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

const error: Group<RevocationError | null> = {
  parts: {
    error_code: part(column.nullable(column.text), (given) => given?.code ?? null),
    error_message: part(column.nullable(column.text), (given) => given?.message ?? null),
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
    account_id: column.id("acct"),
    refund: column.id("ref"),
    payment_intent: column.id("pi"),
    service_id: column.uuid,
    position: column.count,
    batch_size: column.integer,
    target_type: column.word(...TARGET_TYPES),
    target_id: column.text,
    scope: column.text,
    notify: column.boolean,
    strict: column.boolean,
    attempts: column.checked(column.integer, "… BETWEEN 0 AND 4"),
    error,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    pending: {},
    revoked: { revoked_at: column.timestamp },
    failed: { failed_at: column.timestamp },
    expired: { revoked_at: column.timestamp },
  },
  indexes: {
    revocations_queue: "(account_id, due_at, id) WHERE due_at IS NOT NULL AND status = 'pending'",
  },
  constraints: {
    revocations_position: "position < batch_size",
    revocations_ended: `(status <> 'failed' OR error_code IS NOT NULL)
      AND (status NOT IN ('failed', 'expired') OR due_at IS NULL)
      AND (error_code IS NULL) = (error_message IS NULL)`,
  },
})
