import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEntryView, ChainView } from "../../../core/audit/AuditEntry.ts"
import { ListAuditQuery, ListHeadsQuery } from "../../../core/audit/AuditQuery.ts"
import { SignedHead } from "../../../core/audit/SignedHead.ts"
import { AdminKey } from "./Access.ts"
import { operator } from "./Endpoint.ts"
import { Audiences } from "./Route.ts"

const RECIPE =
  "Each entry's `hash` is the SHA-256, in lower-case hex, of three lines joined by a line " +
  "feed: `previous_hash`, `sequence` in decimal, and the JSON of the entry without " +
  "`sequence`, `previous_hash`, `hash` and `signature`, with the keys of every object " +
  "sorted and no white space (RFC 8785). The first entry's `previous_hash` is 64 zeros. " +
  "`signature` signs two lines: `payport audit entry` and the hash."

/** The actions of operators. */
export const audit = HttpApiGroup.make("audit")
  .add(
    operator.get("list", "/v1/audit", {
      mayBeStale: true,
      summary: "List the audit log",
      description:
        `Newest first; \`after\` leaves out entries up to that sequence, and \`verify=true\` ` +
        `hashes the whole log again. ${RECIPE} What an account did itself is in its own log, ` +
        "`/v1/audit-log`.",
      query: ListAuditQuery.fields,
      success: Schema.Struct({
        data: Schema.Array(AuditEntryView).annotateKey({
          description: "The entries, newest first.",
        }),
        has_more: Schema.Boolean.annotate({
          description: "Whether there is a next page. Request it with `starting_after`.",
        }),
        chain: Schema.optionalKey(ChainView).annotateKey({
          description: "Whether the chain is intact. Only with `verify`.",
        }),
      }),
    }),
  )
  .add(
    operator.get("heads", "/v1/audit/heads", {
      summary: "List the signed heads of the audit log",
      description:
        "A head is the end of the log, signed once per UTC day. Oldest first; `after` " +
        "leaves out heads up to that day. Copies of heads that are kept elsewhere reveal a " +
        "log whose end was cut off. `signature` is Ed25519 of four lines: `payport audit " +
        "head`, `sequence`, `hash` and `at`. Use it to copy the heads; the entries are in " +
        "`/v1/audit`.",
      query: ListHeadsQuery.fields,
      success: Schema.Struct({
        data: Schema.Array(SignedHead).annotateKey({ description: "The heads, oldest first." }),
        has_more: Schema.Boolean.annotate({
          description: "Whether there are later heads. Request them with `after`.",
        }),
      }),
    }),
  )
  .middleware(AdminKey)
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Audit log")
  .annotate(OpenApi.Description, "Every action of the operator, kept for ever.")
