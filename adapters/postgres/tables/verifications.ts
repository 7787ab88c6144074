import type {
  Rejection,
  VerificationFacts,
} from "../../../core/kyc/verifications/VerificationMachine.ts"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import {
  text,
  boolean,
  word,
  checked,
  json,
  jsonObject,
  textArray,
  timestamp,
  id,
  nullable,
  version,
  count,
} from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const verifications = makeStateTable({
  kind: "verification",
  name: "verifications",
  fields: {
    id: id("kyc"),
    version,
    account_id: id("acct"),
    agent_id: text,
    agent: id("agt"),
    level: word(...KYC_LEVELS),
    sealed: nullable(text),
    confirmed_channels: textArray,
    keep_until: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
    due_at: nullable(timestamp),
  },
  states: {
    unverified: {},
    pending: {
      challenge: nullable(
        checked(
          json<VerificationFacts["pending"]["challenge"]>(),
          "json_typeof(…) = 'object' AND (…->>'attempts')::integer BETWEEN 0 AND 5",
        ),
      ),
      tries: count,
      retry_at: nullable(timestamp),
    },
    verified: { verified_at: timestamp, expires_at: nullable(timestamp), noticed: boolean },
    rejected: { rejection: jsonObject<Rejection>(), appeal_id: nullable(id("appl")) },
    expired: { verified_at: timestamp, expires_at: nullable(timestamp) },
  },
  constraints: {
    verifications_submitted: "status <> 'unverified'",
    verifications_order: "created_at <= updated_at",
  },
})
