import type {
  Verification,
  VerificationCommon,
} from "../../../core/kyc/verifications/Verification.ts"
import type {
  Rejection,
  VerificationFacts,
} from "../../../core/kyc/verifications/VerificationMachine.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  boolean,
  id,
  integer,
  json,
  makeTable,
  nullable,
  text,
  textArray,
  timestamp,
  word,
} from "./Table.ts"

/** Every fact is a column, empty in the states that do not have it. */
interface Flat extends VerificationCommon {
  readonly status: Verification["status"]
  readonly challenge: VerificationFacts["pending"]["challenge"]
  readonly tries: number | null
  readonly retry_at: Timestamp | null
  readonly verified_at: Timestamp | null
  readonly expires_at: Timestamp | null
  readonly noticed: boolean | null
  readonly rejection: Rejection | null
  readonly appeal_id: string | null
}

const flatten = (verification: Verification): Flat => ({
  challenge: null,
  tries: null,
  retry_at: null,
  verified_at: null,
  expires_at: null,
  noticed: null,
  rejection: null,
  appeal_id: null,
  ...verification,
})

/** The CHECKs of the table say which facts each state has, so a row reads as one of the states. */
const restore = (flat: Flat): Verification => {
  const {
    appeal_id,
    challenge,
    expires_at,
    noticed,
    rejection,
    retry_at,
    status,
    tries,
    verified_at,
    ...common
  } = flat
  const facts = {
    unverified: {},
    pending: { challenge, tries, retry_at },
    verified: { verified_at, expires_at, noticed },
    rejected: { rejection, appeal_id },
    expired: { verified_at, expires_at },
  }
  return { ...common, status, ...facts[status] } as Verification
}

export const verifications = makeTable<"verification", Flat>({
  kind: "verification",
  name: "verifications",
  prefix: "kyc",
  due: true,
  columns: {
    id: id("kyc"),
    version: integer,
    account_id: id("acct"),
    agent_id: text,
    agent: id("agt"),
    level: word(),
    status: word(),
    sealed: nullable(text),
    confirmed_channels: textArray,
    challenge: nullable(json()),
    tries: nullable(integer),
    retry_at: nullable(timestamp),
    verified_at: nullable(timestamp),
    expires_at: nullable(timestamp),
    noticed: nullable(boolean),
    rejection: nullable(json()),
    appeal_id: nullable(id("appl")),
    keep_until: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
