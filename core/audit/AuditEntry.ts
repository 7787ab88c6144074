import { canonicalJson } from "../shared/Text.ts"
import { Schema } from "effect"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"
import { shownAs } from "../shared/View.ts"

/** The actions of operators that the log records. */
export const AUDIT_ACTIONS = [
  "account.created",
  "account.plan_changed",
  "account.suspended",
  "account.resumed",
  "api_key.created",
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

/** Names, levels and numbers of an action; never submitted personal data. */
export interface AuditDetails {
  readonly [field: string]: string | number | boolean | null
}

/** An action of an operator, before it has a place in the chain. */
export interface AuditNote {
  /** `aud_` and a UUIDv7. */
  readonly id: string
  readonly at: Timestamp
  /** `operator`, or `operator:` and the name in the request. */
  readonly actor: string
  readonly action: AuditAction
  /** The id of the affected record. */
  readonly target: string
  readonly request_id: string
  readonly details: AuditDetails
}

/** The end of a chain. */
export interface AuditHead {
  /** 1 for the first entry; 0 for an empty chain. */
  readonly sequence: number
  /** Lower-case hex. */
  readonly hash: string
}

/** A recorded action. It contains the hash of the previous entry. */
export interface AuditEntry extends AuditNote, AuditHead {
  readonly previous_hash: string
  /** The installation's signature of the hash. The database cannot make it. */
  readonly signature: string
}

/** Makes an entry from an action, given the head of the store. */
export type AuditAct = (head: AuditHead) => AuditEntry

/** The functions that make an entry. */
export interface Chaining {
  /** Lower-case hex. */
  readonly sha256: (text: string) => string
  /** Base64url of an Ed25519 signature. */
  readonly sign: (text: string) => string
}

/** The functions that check an entry. */
export interface Checking extends Pick<Chaining, "sha256"> {
  readonly isSigned: (text: string, signature: string) => boolean
}

/** The head of an empty chain. */
export const NO_ENTRY: AuditHead = { sequence: 0, hash: "0".repeat(64) }

/**
 * Returns the content of an entry that is hashed besides its place: JSON of its fields with sorted
 * keys and no white space (RFC 8785).
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

/**
 * Returns the text of an entry's hash: the previous hash, its place and its content, a line each.
 */
const hashedText = (previous: string, sequence: number, content: string): string =>
  `${previous}\n${sequence}\n${content}`

/** Returns the text that an entry's signature covers. No other signed text begins like it. */
const signedText = (hash: string): string => `payport audit entry\n${hash}`

/** Makes the entry of a note behind `head`. */
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
 * Checks consecutive entries, oldest first. Returns the place of the first that does not follow
 * from the previous one or is not signed; undefined where all are valid.
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

/** A signature in responses. */
export const Signature = Schema.String.annotate({
  description: "The Ed25519 signature under the installation's key, 86 base64url characters.",
})

/** An entry in responses. */
export const AuditEntryView = Schema.Struct({
  id: Schema.String.annotate({ description: "`aud_` and a UUIDv7." }),
  sequence: Schema.Int.annotate({ description: "The entry's place in the log, from 1." }),
  at: Time.annotateKey({ description: "The time of the entry." }),
  actor: Schema.String.annotate({
    description: "`operator`, or `operator:` and the value of the header `X-Operator`.",
  }),
  action: Schema.Literals(AUDIT_ACTIONS).annotateKey({ description: "What the operator did." }),
  target: Schema.String.annotate({ description: "The id of the affected record." }),
  request_id: Schema.String.annotate({ description: "The request's id, as in `X-Request-Id`." }),
  details: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  ).annotateKey({ description: "Further details, by name." }),
  previous_hash: hash.annotateKey({ description: "The hash of the previous entry." }),
  hash,
  signature: Signature,
}).annotate({
  identifier: "AuditEntry",
  description: "An action of the operator, chained to the previous entry.",
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

/** The result of verifying the whole chain. */
export const ChainView = Schema.Struct({
  whole: Schema.Boolean.annotate({
    description: "Whether every entry matches the previous one, up to the last.",
  }),
  sequence: Schema.Int.annotate({ description: "The place of the last entry." }),
  hash: hash.annotate({ description: "The hash of the last entry. Keep a copy of it elsewhere." }),
  broken_at: Schema.optionalKey(Schema.Int).annotate({
    description: "The place of the first entry that does not match.",
  }),
}).annotate({
  identifier: "AuditChain",
  description: "The result of hashing the whole log again.",
  examples: [{ whole: true, sequence: 1, hash: "9b2f6c0d".repeat(8) }],
})

declare module "../commits/Records.ts" {
  interface Entries {
    readonly audit_act: AuditAct
  }
}
