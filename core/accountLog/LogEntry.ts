import { Schema } from "effect"
import { defineKind } from "../commits/KindDeclaration.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Time } from "../shared/Wire.ts"

/** The actions of an account's log: changes that can be abused. */
export const LOG_ACTIONS = [
  "api_key.created",
  "api_key.rolled",
  "api_key.revoked",
  "api_key.suspended",
  "api_key.resumed",
  "api_key.seen",
  "api_key.used",
  "api_key.refused",
  "account.suspended",
  "account.resumed",
  "account.plan_changed",
  "webhook_secret.shown",
  "webhook_secret.rotated",
  "webhook_endpoint.created",
  "webhook_endpoint.changed",
  "webhook_endpoint.deleted",
  "webhook_key.created",
  "webhook_key.deleted",
  "install.changed",
  "install.deleted",
  "service.endpoint_changed",
  "listing.deleted",
] as const
/** One of {@link LOG_ACTIONS}. */
export type LogAction = (typeof LOG_ACTIONS)[number]

/** Prefix of the names of counters of refusals. The names end in their day. */
export const REFUSAL_COUNTERS = "key_refusals:"

/** Prefix of the names of counters of uses. The names end in their day. */
export const USE_COUNTERS = "key_uses:"

/** The details of an entry: ids, times and amounts, never a secret. */
export interface LogDetails {
  readonly [field: string]: string | number | boolean | null
}

/** A change in an account's log. Entries never change. */
export interface LogEntry {
  /** `log_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly at: Timestamp
  /** The id of the acting key, or `operator`. */
  readonly actor: string
  readonly action: LogAction
  /** The id of the affected record. */
  readonly target: string
  readonly details: LogDetails
}

/** An entry as its account sees it. */
export const LogEntryView = Schema.Struct({
  id: Schema.String.annotate({ description: "`log_` and a UUIDv7." }),
  at: Time.annotateKey({ description: "The time of the entry." }),
  actor: Schema.String.annotate({ description: "The id of the acting key, or `operator`." }),
  action: Schema.Literals(LOG_ACTIONS).annotateKey({ description: "The action." }),
  target: Schema.String.annotate({ description: "The id of the affected record." }),
  details: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  ).annotateKey({ description: "Further details, by name." }),
}).annotate({
  identifier: "LogEntry",
  description:
    "A change of a key, secret, endpoint or limit of the account, or an act of a " +
    "restricted key. `api_key.used`: it moved money. `api_key.refused`: its restrictions " +
    "refused a request. `api_key.seen`: its first use of a UTC day from an address to " +
    "read, pay, refund or manage.",
  examples: [
    {
      id: "log_01997d3e-8a00-7000-8000-000000000041",
      at: "2026-01-31T08:00:00.000Z",
      actor: "key_01997d3e-8a00-7000-8000-000000000002",
      action: "api_key.created",
      target: "key_01997d3e-8a00-7000-8000-000000000003",
      details: { hint: "sk_test_9fKq", expires_at: null },
    },
  ],
})

/** See {@link LogEntryView}. */
export const logEntryView = (entry: LogEntry) => shownAs(LogEntryView, entry)

declare module "../commits/Records.ts" {
  interface Records {
    readonly log_entry: LogEntry
  }
}

/** How the store keeps entries: as long as their account. */
export const logEntryKind = defineKind("log_entry", {
  prefix: "log",
  erased: false,
  lists: [["account_id"]],
})
