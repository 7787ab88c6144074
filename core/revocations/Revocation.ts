import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { Schema } from "effect"
import { exactly } from "../shared/Exact.ts"
import * as Machine from "../shared/Machine.ts"
import { SECOND, type Timestamp, toIso } from "../shared/Timestamp.ts"
import type { Scope } from "../registry/RevocationScope.ts"
import type { TargetType } from "../registry/RevocationTarget.ts"
import { Time } from "../shared/Wire.ts"

/** Why a target could not be revoked (Events, `revocation.failed`). */
export interface RevocationError {
  readonly code:
    | "revocation_target_not_found"
    | "permission_error"
    | "revocation_unavailable"
    | "revocation_limit_exceeded"
  readonly message: string
}

/** The fields of a revocation in every state. A refund has one for each target. */
export interface RevocationCommon {
  /** `rvk_` and a UUIDv7: the id under which a seller's system knows it. */
  readonly id: string
  readonly version: number
  /** The payee's. */
  readonly account_id: string
  readonly refund: string
  readonly payment_intent: string
  readonly service_id: string
  /** Its place among the refund's targets, from 0, and the number of targets. */
  readonly position: number
  readonly batch_size: number
  readonly target_type: TargetType
  readonly target_id: string
  readonly scope: Scope
  /** Whether its success or failure is an event. */
  readonly notify: boolean
  /** Whether an unregistered target is not found. */
  readonly strict: boolean
  readonly attempts: number
  /** The error of the last attempt, if it failed. */
  readonly error: RevocationError | null
  readonly created_at: Timestamp
}

/** The states of a revocation. A pending one is due once its refund is confirmed. */
export interface RevocationFacts {
  pending: { due_at: Timestamp | null }
  revoked: { revoked_at: Timestamp; due_at: Timestamp }
  failed: { error: RevocationError; failed_at: Timestamp; due_at: null }
  expired: { revoked_at: Timestamp; due_at: null }
}

/** A revocation in one of its states. */
export type Revocation = RevocationCommon & Machine.InState<RevocationFacts>

/** The events of a revocation. */
export type RevocationMove =
  | { readonly type: "released"; readonly at: Timestamp }
  | {
      readonly type: "revoked"
      readonly attempts: number
      readonly at: Timestamp
      /** Milliseconds. */
      readonly retention: number
    }
  | {
      readonly type: "retry"
      readonly attempts: number
      readonly error: RevocationError
      readonly due_at: Timestamp
    }
  | {
      readonly type: "failed"
      readonly attempts: number
      readonly error: RevocationError
      readonly at: Timestamp
    }
  | { readonly type: "retained" }

const table: Machine.Table<RevocationFacts, RevocationMove, never> = {
  pending: {
    released: { to: "pending", set: ({ at }) => ({ due_at: at }) },
    retry: {
      to: "pending",
      set: ({ attempts, due_at, error }) => ({ attempts, error, due_at }),
    },
    revoked: {
      to: "revoked",
      set: ({ at, attempts, retention }) => ({
        attempts,
        error: null,
        revoked_at: at,
        due_at: at + retention,
      }),
    },
    failed: {
      to: "failed",
      set: ({ at, attempts, error }) => ({ attempts, error, failed_at: at, due_at: null }),
    },
  },
  revoked: { retained: { to: "expired", set: () => ({ due_at: null }) } },
  failed: {},
  expired: {},
}

/** The lifecycle of a revocation (States and transitions, Revocation). Revoked is never undone. */
export const machine = Machine.make<
  Omit<RevocationCommon, "error"> & { readonly error: RevocationError | null },
  RevocationFacts,
  RevocationMove,
  never
>(table)

/** A revocation without an outcome yet. */
export type PendingRevocation = Extract<Revocation, { readonly status: "pending" }>

/** The waits after the first three failed attempts, in milliseconds. The fourth is the last. */
const RETRY_AFTER = [SECOND, 4 * SECOND, 16 * SECOND]

/** Returns what follows an attempt that failed at `at`: another one, or the end. */
export const afterFailure = (
  { attempts: before }: PendingRevocation,
  error: RevocationError,
  at: Timestamp,
): RevocationMove => {
  const attempts = before + 1
  const delay = RETRY_AFTER[before]
  return delay === undefined
    ? { type: "failed", attempts, error, at }
    : { type: "retry", attempts, error, due_at: at + delay }
}

/** Returns whether no attempt will follow. */
export const isProcessed = ({ status }: Pick<Revocation, "status">): boolean => status !== "pending"

/** Returns the counter of a refund's processed targets. */
export const processedCounter = (refundId: string): string => `revocations_processed:${refundId}`

/** An example of a pending revocation. */
export const exampleRevocation = {
  target_type: "access_token",
  target_id: "tok_8F3a",
  scope: "read:detail",
  status: "pending",
} as const

/** A revocation as its refund shows it. */
export const RevocationView = Schema.Struct({
  target_type: Schema.String.annotateKey({ description: "The kind of access item." }),
  target_id: Schema.String.annotateKey({
    description: "The access item's id, chosen by the seller.",
  }),
  scope: Schema.String.annotateKey({
    description: "The scope of the access, such as `read:detail` or `all`.",
  }),
  status: Schema.Literals(["pending", "revoked", "failed", "expired"]).annotateKey({
    description: "The current state.",
  }),
  revoked_at: Schema.optionalKey(Time).annotateKey({ description: "When the access was revoked." }),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.String.annotateKey({
        description: "The error code of the last attempt, for programs.",
      }),
      message: Schema.String.annotateKey({
        description: "The error message of the last attempt, for people.",
      }),
    }),
  )
    .annotate({
      description: "Why the revocation failed.",
    })
    .annotateKey({ description: "The error." }),
}).annotate({
  identifier: "Revocation",
  description: "The revocation of an access item by a refund.",
  examples: [exampleRevocation],
})

const itemView = exactly<typeof RevocationView.Type>()((revocation: Revocation) => ({
  target_type: revocation.target_type,
  target_id: revocation.target_id,
  scope: revocation.scope,
  status: revocation.status,
  ...("revoked_at" in revocation && { revoked_at: toIso(revocation.revoked_at) }),
  ...(revocation.status === "failed" && { error: revocation.error }),
}))

/** Returns what a refund shows of its revocations (Refund), in the order of its targets. */
export const revocationsView = (revocations: ReadonlyArray<Revocation>) => ({
  revocations: revocations.toSorted((a, b) => a.position - b.position).map(itemView),
  ...(revocations.length > 0 &&
    revocations.every(isProcessed) && { revocation_batch_status: "completed" as const }),
})

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly revocation: Revocation
  }
}

/** How revocations are kept. */
export const revocationKind = defineKind("revocation", {
  prefix: "rvk",
  erased: true,
  dueAt: ownDueAt,
  receiver: ({ account_id }) => account_id,
  unique: [{ by: ["refund", "position"] }],
  lists: [["refund"], ["payment_intent", "scope", "status"], ["service_id", "status"]],
})
