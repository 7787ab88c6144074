import type {
  Rejection,
  VerificationFacts,
} from "../../../core/kyc/verifications/VerificationMachine.ts"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import * as column from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const verifications = makeStateTable({
  kind: "verification",
  name: "verifications",
  fields: {
    account_id: column.id("acct"),
    agent_id: column.text,
    agent: column.id("agt"),
    level: column.word(...KYC_LEVELS),
    sealed: column.nullable(column.text),
    confirmed_channels: column.textArray,
    keep_until: column.timestamp,
    created_at: column.timestamp,
    updated_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    unverified: {},
    pending: {
      challenge: column.nullable(
        column.checked(
          column.json<VerificationFacts["pending"]["challenge"]>(),
          "json_typeof(…) = 'object' AND (…->>'attempts')::integer BETWEEN 0 AND 5",
        ),
      ),
      tries: column.count,
      retry_at: column.nullable(column.timestamp),
    },
    verified: {
      verified_at: column.timestamp,
      expires_at: column.nullable(column.timestamp),
      noticed: column.boolean,
    },
    rejected: {
      rejection: column.jsonObject<Rejection>(),
      appeal_id: column.nullable(column.id("appl")),
    },
    expired: { verified_at: column.timestamp, expires_at: column.nullable(column.timestamp) },
  },
  constraints: {
    verifications_submitted: "status <> 'unverified'",
    verifications_order: "created_at <= updated_at",
  },
})
