import { makeVault } from "../../../../adapters/crypto/Vault.ts"
import type { LogEntry } from "../../../../core/accountLog/LogEntry.ts"
import type { Account } from "../../../../core/accounts/Account.ts"
import type { ApiKey } from "../../../../core/accounts/ApiKey.ts"
import type { OauthGrant } from "../../../../core/accounts/OauthGrant.ts"
import { type AuditAct, type AuditNote, chained } from "../../../../core/audit/AuditEntry.ts"
import { KEPT_FOR, type Reply, RUNNING_LEASE } from "../../../../core/idempotency/Reply.ts"
import type { ConsoleSession } from "../../../../core/keys/ConsoleSession.ts"
import type { Agent } from "../../../../core/kyc/agents/Agent.ts"
import type { Allowance } from "../../../../core/kyc/codes/Allowance.ts"
import type { Appeal } from "../../../../core/kyc/reviews/Appeal.ts"
import { RETENTION, type Verification } from "../../../../core/kyc/verifications/Verification.ts"
import type { VerificationFacts } from "../../../../core/kyc/verifications/VerificationMachine.ts"
import type { ServiceManifest } from "../../../../core/registry/ServiceManifest.ts"
import { nameKey } from "../../../../core/shared/Text.ts"
import { DAY, HOUR, MINUTE } from "../../../../core/shared/Timestamp.ts"
import { T0, uuid, id, hash, type Said } from "./ids.ts"

/** A session of the console. */
export const aConsoleSession = ({ n = 1, ...said }: Said<ConsoleSession> = {}): ConsoleSession => ({
  id: id("cses", n),
  version: 1,
  created_at: T0,
  ...said,
})

/** A seller. */
export const anAccount = ({ n = 1, ...said }: Said<Account> = {}): Account => ({
  id: id("acct", n),
  version: 1,
  name: `Seller ${n}`,
  kind: "seller",
  agent_id: `agent-${n}`,
  merchant_account: null,
  plan: "starter",
  webhook_secret: "sealed:AAAA",
  previous_webhook_secrets: [],
  created_at: T0,
  suspended_at: null,
  ...said,
})

/** The n-th action of an operator, on account n. */
export const anAuditNote = ({ n = 1, ...said }: Said<AuditNote> = {}): AuditNote => ({
  id: id("aud", n),
  at: T0 + n,
  actor: "operator",
  action: "account.plan_changed",
  target: id("acct", n),
  request_id: `req_${n}`,
  details: { from: "starter", to: "pro" },
  ...said,
})

/** The vault that chains and signs audit entries in tests. */
export const auditor = makeVault(new Uint8Array(32).fill(7))

/** {@link anAuditNote} in the form that a store takes. */
export const anAuditAct =
  (said: Said<AuditNote> = {}): AuditAct =>
  (head) =>
    chained(anAuditNote(said), head, auditor)

/** An agent of account 1 that has a business verification. */
export const anAgent = ({ n = 1, ...said }: Said<Agent> = {}): Agent => ({
  id: id("agt", n),
  version: 1,
  account_id: id("acct", 1),
  agent_id: `agent-${n}`,
  level: "business",
  verified: [{ verification_id: id("kyc", n), level: "business", expires_at: null, channels: [] }],
  updated_at: T0,
  ...said,
})

/** An allowance that has counted the code of T0. */
export const anAllowance = ({ n = 1, ...said }: Said<Allowance> = {}): Allowance => ({
  id: id("otpa", n),
  version: 1,
  sent: [T0],
  locked_until: null,
  due_at: T0 + HOUR,
  ...said,
})

const verificationFacts: { readonly [S in keyof VerificationFacts]: VerificationFacts[S] } = {
  unverified: {},
  pending: {
    challenge: {
      number: 1,
      code_hash: hash(1),
      expires_at: T0 + 10 * MINUTE,
      attempts: 2,
      allowances: [id("otpa", 1), id("otpa", 2), id("otpa", 3)],
    },
    tries: 1,
    retry_at: T0 + MINUTE,
  },
  verified: { verified_at: T0, expires_at: T0 + 365 * DAY, noticed: false },
  rejected: {
    rejection: { code: "document_mismatch", message: "It is not.", details: { check: "x" } },
    appeal_id: null,
  },
  expired: { verified_at: T0, expires_at: T0 + 365 * DAY },
}

/** A verification of agent 1 of account 1 in a state. */
export const verificationIn = (
  status: keyof VerificationFacts,
  { n = 1, ...said }: Said<Verification> = {},
): Verification =>
  ({
    id: id("kyc", n),
    version: 1,
    account_id: id("acct", 1),
    agent_id: "agent-1",
    agent: id("agt", 1),
    level: "enhanced",
    sealed: "sealed:CCCC",
    confirmed_channels: [],
    created_at: T0,
    updated_at: T0,
    keep_until: T0 + RETENTION,
    due_at: null,
    status,
    ...verificationFacts[status],
    ...said,
  }) as Verification

/** An appeal of account 1 against verification 1 that nobody has looked at. */
export const anAppeal = ({ n = 1, ...said }: Said<Appeal> = {}): Appeal =>
  ({
    id: id("appl", n),
    version: 1,
    account_id: id("acct", 1),
    verification_id: id("kyc", 1),
    status: "under_review",
    estimated_resolution: T0 + 2 * DAY,
    created_at: T0,
    updated_at: T0,
    ...said,
  }) as Appeal

/** The access that a program got over OAuth. */
export const aGrant: OauthGrant = {
  client: hash(8),
  client_name: "A program",
  redirect_uri: "http://127.0.0.1/callback",
  resource: "https://pay.example/mcp",
  challenge: "a challenge",
  code_expires_at: T0 + 8,
  ends_at: T0 + 9,
  generation: 1,
  token_expires_at: T0 + 10,
}

/** A key of account 1 that neither expires nor is revoked. */
export const anApiKey = ({ n = 1, ...said }: Said<ApiKey> = {}): ApiKey => ({
  id: id("key", n),
  version: 1,
  account_id: id("acct", 1),
  hash: hash(n),
  hint: "sk_test_Ab",
  created_at: T0,
  expires_at: null,
  revoked_at: null,
  minted_by: null,
  restrictions: null,
  suspended_at: null,
  oauth: null,
  ...said,
})

/** An entry of account 1's log. */
export const aLogEntry = ({ n = 1, ...said }: Said<LogEntry> = {}): LogEntry => ({
  id: id("log", n),
  version: 1,
  account_id: id("acct", 1),
  at: T0,
  actor: id("key", 1),
  action: "api_key.created",
  target: id("key", 2),
  details: { hint: "sk_test_Ab", expires_at: null },
  ...said,
})

/** An active manifest of account 1. */
export const aService = ({ n = 1, ...said }: Said<ServiceManifest> = {}): ServiceManifest => ({
  id: uuid(n),
  version: 1,
  account_id: id("acct", 1),
  name: `Service ${n}`,
  name_key: nameKey(said.name ?? `Service ${n}`),
  description: "Answers questions.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One answer" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://seller.example/hooks",
  tags: ["answers"],
  default_channel: null,
  fallback_channel: null,
  revocation_policy: null,
  status: "active",
  created_at: T0,
  updated_at: T0,
  pauses: [],
  deprecated_at: null,
  deleted_at: null,
  due_at: null,
  ...said,
})

/** The mark of a running request of account 1. */
export const aReply = ({ n = 1, ...said }: Said<Reply> = {}): Reply => ({
  account_id: id("acct", 1),
  key: `retry-${n}`,
  fingerprint: hash(n),
  holder: uuid(1),
  answer: null,
  lease_until: (said.created_at ?? T0) + RUNNING_LEASE,
  created_at: T0,
  expires_at: (said.created_at ?? T0) + KEPT_FOR,
  ...said,
})
