import { canonicalJson } from "../shared/Text.ts"
import { Schema } from "effect"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"
import { shownAs } from "../shared/View.ts"

/** What an operator can do that is kept for ever. */
export const AUDIT_ACTIONS = [
  "account.created",
  "account.plan_changed",
  "account.suspended",
  "account.resumed",
  "api_key.suspended",
  "api_key.resumed",
  "verification.opened",
  "verification.approval_proposed",
  "verification.approved",
  "verification.rejected",
  "appeal.opened",
  "appeal.upheld",
  "appeal.overturn_proposed",
  "appeal.overturned",
] as const
/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Names, levels and numbers of what was done; never what somebody has submitted. */
export interface AuditDetails {
  readonly [field: string]: string | number | boolean | null
}

/** An action of an operator, before it has a place in the chain. */
export interface AuditNote {
  /** `aud_` and a UUIDv7. */
  readonly id: string
  readonly at: Timestamp
  /** `operator`, or `operator:` and the name that came with the request. */
  readonly actor: string
  readonly action: AuditAction
  /** The id of the record that it was done to. */
  readonly target: string
  readonly request_id: string
  readonly details: AuditDetails
}

/** The last place of a chain. */
export interface AuditHead {
  /** 1 for the first entry; 0 where there is none yet. */
  readonly sequence: number
  /** Lower-case hex. */
  readonly hash: string
}

/** A kept action. Each holds the hash of the one before it. */
export interface AuditEntry extends AuditNote, AuditHead {
  readonly previous_hash: string
  /** The installation's, of the hash: the database that keeps the entry cannot make it. */
  readonly signature: string
}

/** An action whose place is not known yet: what it becomes behind the head that the store has. */
export type AuditAct = (head: AuditHead) => AuditEntry

/** What makes an entry. */
export interface Chaining {
  /** Lower-case hex. */
  readonly sha256: (text: string) => string
  /** Base64url of an Ed25519 signature. */
  readonly sign: (text: string) => string
}

/** What tells whether an entry is one. */
export interface Checking extends Pick<Chaining, "sha256"> {
  readonly isSigned: (text: string, signature: string) => boolean
}

/** What stands before the first entry. */
export const NO_ENTRY: AuditHead = { sequence: 0, hash: "0".repeat(64) }

/**
 * What of an entry is hashed besides its place: JSON of its fields with the keys of every object in
 * order and no white space (RFC 8785).
 */
export const contentOf = ({
  action,
  actor,
  at,
  details,
  id,
  request_id,
  target,
}: AuditNote): string =>
  canonicalJson({ action, actor, at: toIso(at), details, id, request_id, target })

/** What an entry's hash is made of: the hash before it, its place and its content, by lines. */
const hashedText = (previous: string, sequence: number, content: string): string =>
  `${previous}\n${sequence}\n${content}`

/** What an entry's signature is of: nothing else that is signed begins like it. */
const signedText = (hash: string): string => `payport audit entry\n${hash}`

/** The entry that a note becomes behind `head`. */
export const chained = (
  note: AuditNote,
  { hash: previous_hash, sequence: before }: AuditHead,
  { sha256, sign }: Chaining,
): AuditEntry => {
  const sequence = before + 1
  const hash = sha256(hashedText(previous_hash, sequence, contentOf(note)))
  return { ...note, sequence, previous_hash, hash, signature: sign(signedText(hash)) }
}

const follows = (entry: AuditEntry, head: AuditHead, { isSigned, sha256 }: Checking): boolean =>
  entry.sequence === head.sequence + 1 &&
  entry.previous_hash === head.hash &&
  entry.hash === sha256(hashedText(head.hash, entry.sequence, contentOf(entry))) &&
  isSigned(signedText(entry.hash), entry.signature)

/**
 * The place of the first of consecutive entries, oldest first, that does not follow from what
 * stands before it or is not signed; undefined where each does and is.
 */
export const brokenAt = (
  entries: ReadonlyArray<AuditEntry>,
  before: AuditHead,
  checking: Checking,
): number | undefined => {
  let head = before
  for (const entry of entries) {
    if (!follows(entry, head, checking)) return head.sequence + 1
    head = entry
  }
  return undefined
}

const hash = Schema.String.annotate({ description: "SHA-256 in 64 lower-case hex digits." })

/** A signature as it is shown. */
export const Signature = Schema.String.annotate({
  description: "Ed25519 under the installation's key, 86 base64url characters.",
})

/** An entry as it is shown. */
export const AuditEntryView = Schema.Struct({
  id: Schema.String.annotate({ description: "`aud_` and a UUIDv7." }),
  sequence: Schema.Int.annotate({ description: "Its place in the log, from 1." }),
  at: Time.annotateKey({ description: "When it happened." }),
  actor: Schema.String.annotate({
    description: "`operator`, or `operator:` and what the header `X-Operator` said.",
  }),
  action: Schema.Literals(AUDIT_ACTIONS).annotateKey({ description: "What the operator did." }),
  target: Schema.String.annotate({ description: "The id of what it was done to." }),
  request_id: Schema.String.annotate({ description: "The request, as in `X-Request-Id`." }),
  details: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  ).annotateKey({ description: "Further facts, by name." }),
  previous_hash: hash.annotateKey({ description: "The hash of the entry before." }),
  hash,
  signature: Signature,
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
      signature: "A".repeat(86),
    },
  ],
})

/** See {@link AuditEntryView}. */
export const auditView = (entry: AuditEntry) => shownAs(AuditEntryView, entry)

/** What was found by hashing the whole chain again. */
export const ChainView = Schema.Struct({
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

declare module "../commits/Records.ts" {
  interface Entries {
    readonly audit_act: AuditAct
  }
}
