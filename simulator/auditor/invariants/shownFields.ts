// Written independently of the views of the core on purpose: see Model.ts. The fields of each view
// are those of the interface.

import type { Kind } from "../../../core/ports/Store.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import { kept } from "./ownership.ts"

/** The fields of a record or of its view. */
export type Fields = { readonly [field: string]: unknown }

/** The kinds of record whose lists are read. */
export type ShownKind =
  | "appeal"
  | "delivery"
  | "endpoint"
  | "event"
  | "install"
  | "invoice"
  | "listing"
  | "log_entry"
  | "posting"
  | "refund"
  | "refund_request"
  | "statement"
  | "subscription"
  | "verification"
  | "webhook_key"

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** The fields of each view that its record has, too. */
export const FIELDS: { readonly [K in ShownKind]: ReadonlyArray<string> } = {
  appeal: words(
    "account_id verification_id status estimated_resolution resolved_at created_at updated_at",
  ),
  delivery: words(
    "id endpoint_id service_id event_id event_type url status error replay_of created_at",
  ),
  endpoint: words(
    "id url description enabled_events status disabled_reason disabled_at created_at updated_at",
  ),
  event: words("id type service_id data created_at"),
  install: words(
    "id service_id agent_id auto_pay_limit channel_preference channels spend_cap budget_alerts " +
      "created_at updated_at",
  ),
  invoice: words(
    "id service_id subscription status lines amount payment_intent period_start period_end " +
      "paid_at created_at",
  ),
  listing: words("id service_id resource method amount standing since created_at updated_at"),
  log_entry: words("id at actor action target details"),
  posting: words("id journal kind channel payment_intent refund created_at"),
  refund: words(
    "id payment_intent amount status reason description channel channel_reason created_at " +
      "updated_at",
  ),
  refund_request: words(
    "id status payment_intent service_id amount reason refund decline_reason created_at " +
      "updated_at expires_at resolved_at",
  ),
  statement: words("id month created_at"),
  subscription: words(
    "id service_id plan_id interval amount status payer current_period_start current_period_end " +
      "cancel_at_period_end latest_invoice past_due_at cancelled_at cancel_reason created_at",
  ),
  verification: words("account_id agent_id level created_at updated_at"),
  webhook_key: words("id key_type fingerprint label created_at"),
}

const TIMES: ReadonlySet<string> = new Set([
  "at",
  "current_period_end",
  "current_period_start",
  "due_at",
  "estimated_resolution",
  "period_end",
  "period_start",
  "since",
])

/** Returns a value as it is shown: times as text. */
export const shownValue = (field: string, value: unknown): unknown =>
  typeof value === "number" && (field.endsWith("_at") || TIMES.has(field)) ? toIso(value) : value

export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const time = (value: unknown): unknown => (typeof value === "number" ? toIso(value) : undefined)

const nullIfNone = (value: unknown): unknown => value ?? null

/** Returns the keys that webhooks of an account are encrypted for, the one in use first. */
const webhookKeysOf = (account: unknown, model: Model): ReadonlyArray<Fields> =>
  recordsOf("webhook_key", model)
    .filter(({ account_id }) => account_id === account)
    .toSorted(newestFirst)

const encryptionOf = (endpoint: Fields, model: Model) => {
  const own = endpoint["encryption"] as Fields | null | undefined
  const key = own ?? webhookKeysOf(endpoint["account_id"], model)[0]
  return {
    public_key_fingerprint: nullIfNone(key?.["fingerprint"]),
    key_type: nullIfNone(key?.["key_type"]),
    enabled: key !== undefined,
  }
}

/** Returns the mandate of an install as its buyer sees it: with a link while it is pending. */
const mandateOf = ({ mandate }: Fields, model: Model): unknown => {
  if (typeof mandate !== "object" || mandate === null) return null
  const { channel, id, status } = mandate as Fields
  const stored = model.know(kept).get("mandate")?.get(String(id)) as Fields | null | undefined
  const link = status === "pending" ? stored?.["approval_url"] : undefined
  return present({ id, status, channel, approval_url: link ?? undefined })
}

/** Returns the revocations of a refund as they are shown with it. */
const revocationsOf = (refund: Fields, model: Model) => {
  const all = recordsOf("revocation", model)
    .filter((one) => one["refund"] === refund["id"])
    .toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))
  return {
    revocations: all.map((one) =>
      present({
        target_type: one["target_type"],
        target_id: one["target_id"],
        scope: one["scope"],
        status: one["status"],
        revoked_at: time(one["revoked_at"]),
        error: one["error"] ?? undefined,
      }),
    ),
  }
}

/** The fields of a view that its record does not have in the shown form. */
export const MORE: {
  readonly [K in ShownKind]?: (record: Fields, account: string | null, model: Model) => Fields
} = {
  appeal: ({ id }) => ({ appeal_id: id }),
  delivery: ({ attempts, due_at, status }) => ({
    attempts: (attempts as ReadonlyArray<Fields>).map((one) => ({ ...one, at: time(one["at"]) })),
    next_attempt_at: status === "pending" ? (time(due_at) ?? null) : null,
  }),
  endpoint: (record, _account, model) => ({ encryption: encryptionOf(record, model) }),
  install: (record, _account, model) => ({ mandate: mandateOf(record, model) }),
  invoice: ({ payer, pay_by }) => ({
    agent_id: (payer as Fields)["agent_id"],
    due_at: time(pay_by),
  }),
  listing: ({ due_at, probed_at, reason, seen }) => ({
    reason: reason ?? undefined,
    seen: seen ?? undefined,
    probed_at: time(probed_at),
    next_probe_at: time(due_at),
  }),
  posting: ({ amount: value, currency, ledger_account }) => ({
    account: ledger_account,
    amount: { currency, value },
  }),
  refund: (record, account, model) => ({
    ...(record["payee_account_id"] === account && {
      settlement: record["settlement"],
      service_fee: record["service_fee"],
    }),
    ...revocationsOf(record, model),
  }),
  verification: ({ id }) => ({ verification_id: id }),
}

/** Fields that other rules judge, or that depend on the moment. */
export const ELSEWHERE: { readonly [K in ShownKind]?: ReadonlyArray<string> } = {
  appeal: ["message"],
  refund: ["remaining_refundable", "revocation_batch_status"],
  statement: ["period_start", "period_end", "plan", "price", "operations", "volume", "total"],
  verification: [
    "status",
    "challenge",
    "compliance_review_required",
    "estimated_review_time_hours",
    "rejection_reason",
    "appeal_id",
    "verified_at",
    "expires_at",
  ],
}

/** Returns all records of a kind, as they were committed last. */
export const recordsOf = (kind: ShownKind | Kind, model: Model): ReadonlyArray<Fields> => {
  const all: Iterable<object | null> =
    kind === "posting" ? model.posted.values() : (model.know(kept).get(kind)?.values() ?? [])
  const found: Array<Fields> = []
  for (const record of all) if (record !== null) found.push(record as Fields)
  return found
}

/** Records in the order of lists: by their ids, which begin with the time for most kinds. */
export const newestFirst = (a: Fields, b: Fields): number =>
  String(a["id"]) < String(b["id"]) ? 1 : -1
