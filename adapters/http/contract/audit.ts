import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AUDIT_ACTIONS } from "../../../core/audit/AuditEntry.ts"
import { ListAuditQuery } from "../../../core/audit/AuditQuery.ts"
import { AdminKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { Timestamp } from "./Wire.ts"

const hash = Schema.String.annotate({ description: "SHA-256 in 64 lower-case hex digits." })

const Entry = Schema.Struct({
  id: Schema.String.annotate({ description: "`aud_` and a UUIDv7." }),
  sequence: Schema.Int.annotate({ description: "Its place in the log, from 1." }),
  at: Timestamp,
  actor: Schema.String.annotate({
    description: "`operator`, or `operator:` and what the header `X-Operator` said.",
  }),
  action: Schema.Literals(AUDIT_ACTIONS),
  target: Schema.String.annotate({ description: "The id of what it was done to." }),
  request_id: Schema.String.annotate({ description: "The request, as in `X-Request-Id`." }),
  details: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  ),
  previous_hash: hash,
  hash,
}).annotate({
  identifier: "AuditEntry",
  description: "An action of the operator, chained to the one before it.",
  examples: [
    {
      id: "aud_01997d3e-8a00-7000-8000-000000000040",
      sequence: 1,
      at: "2026-01-31T08:00:00.000Z",
      actor: "operator:jo",
      action: "account.plan_changed",
      target: "acct_01997d3e-8a00-7000-8000-000000000001",
      request_id: "req_0b0f3c1e-7d0a-4c8e-9d57-6c1f0d3f2a11",
      details: { from: "starter", to: "pro" },
      previous_hash: "0".repeat(64),
      hash: "9b2f6c0d".repeat(8),
    },
  ],
})

const Chain = Schema.Struct({
  whole: Schema.Boolean.annotate({
    description: "Whether every entry follows from the one before it, up to the last.",
  }),
  sequence: Schema.Int.annotate({ description: "The place of the last entry." }),
  hash: hash.annotate({ description: "The hash of the last entry: note it down elsewhere." }),
  broken_at: Schema.optionalKey(Schema.Int).annotate({
    description: "The first place that does not hold.",
  }),
}).annotate({
  identifier: "AuditChain",
  description: "What was found by hashing the whole log again.",
  examples: [{ whole: true, sequence: 1, hash: "9b2f6c0d".repeat(8) }],
})

const RECIPE =
  "Each entry's `hash` is the SHA-256, in lower-case hex, of three lines joined by a line feed: " +
  "`previous_hash`, `sequence` in decimal, and the JSON of the entry without `sequence`, " +
  "`previous_hash` and `hash`, with the keys of every object sorted and no white space " +
  "(RFC 8785). The first entry's `previous_hash` is 64 zeros."

/** What the operator has done. */
export const audit = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/v1/audit", {
      disableCodecs: true,
      query: ListAuditQuery.fields,
      success: Schema.Struct({
        data: Schema.Array(Entry),
        has_more: Schema.Boolean.annotate({
          description: "Whether a next page exists; ask for it with `starting_after`.",
        }),
        chain: Schema.optionalKey(Chain),
      }),
      error: refusals(ANY, KEYED),
    })
      .annotate(OpenApi.Summary, "List the audit log")
      .annotate(
        OpenApi.Description,
        `Newest first; \`after\` leaves out entries up to that sequence, and \`verify=true\` ` +
          `hashes the whole log again. ${RECIPE}`,
      ),
  )
  .middleware(AdminKey)
  .annotate(OpenApi.Title, "Audit log")
  .annotate(OpenApi.Description, "Every action of the operator, kept for ever.")
