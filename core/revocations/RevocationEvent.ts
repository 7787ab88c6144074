import { Schema } from "effect"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import type { Happening } from "../webhooks/events/Event.ts"
import type { Revocation } from "./Revocation.ts"
import { Time } from "../shared/Wire.ts"

const about = {
  refund_id: Schema.String.annotateKey({ description: "The refund that caused the revocation." }),
  target_type: Schema.String.annotateKey({ description: "The kind of access item." }),
  target_id: Schema.String.annotate({ description: "The access item's id, chosen by the seller." }),
}

/** The `data` of `revocation.succeeded`. */
export const RevocationSucceeded = Schema.Struct({
  ...about,
  status: Schema.Literal("revoked").annotateKey({ description: "The current state." }),
  revoked_at: Time.annotateKey({ description: "When the access was revoked." }),
})

/** The `data` of `revocation.failed`. */
export const RevocationFailed = Schema.Struct({
  ...about,
  error: Schema.Struct({
    code: Schema.String.annotateKey({ description: "The error code, for programs." }),
    message: Schema.String.annotateKey({ description: "The error message, for people." }),
  }).annotateKey({ description: "The error." }),
})

/** The `data` of `revocation.batch.completed`. */
export const BatchCompleted = Schema.Struct({
  refund_id: Schema.String.annotateKey({ description: "The refund's id." }),
  total_targets: Schema.Int.annotateKey({
    description: "The number of access items that the refund revokes.",
  }),
  revoked: Schema.Int.annotateKey({ description: "The number of successful revocations." }),
  failed: Schema.Int.annotateKey({ description: "The number of failed revocations." }),
  completed_at: Time.annotateKey({ description: "When the last revocation succeeded or failed." }),
})

/** Returns the receivers and the subject of a revocation's event. */
const addressed = (revocation: Revocation, accounts: ReadonlyArray<string>) => ({
  accounts,
  service_id: revocation.service_id,
  subject_id: revocation.refund,
})

const target = ({ refund, target_id, target_type }: Revocation) => ({
  refund_id: refund,
  target_type,
  target_id,
})

/**
 * Returns the event of one target (Events, `revocation.succeeded` and `revocation.failed`): none
 * while its outcome is open, and none if the refund asked for no events.
 */
export const targetEvents = (
  revocation: Revocation,
  accounts: ReadonlyArray<string>,
): ReadonlyArray<Happening> => {
  if (!revocation.notify) return []
  if (revocation.status === "revoked") {
    const { revoked_at, status } = revocation
    const data = { ...target(revocation), status, revoked_at: toIso(revoked_at) }
    return [{ type: "revocation.succeeded", ...addressed(revocation, accounts), data }]
  }
  if (revocation.status !== "failed") return []
  const data = { ...target(revocation), error: revocation.error }
  return [{ type: "revocation.failed", ...addressed(revocation, accounts), data }]
}

/** Returns the event after the last of a refund's targets (`revocation.batch.completed`). */
export const batchEvent = (
  last: Revocation,
  batch: ReadonlyArray<Revocation>,
  accounts: ReadonlyArray<string>,
  at: Timestamp,
): Happening => {
  const failed = batch.filter(({ status }) => status === "failed").length
  return {
    type: "revocation.batch.completed",
    ...addressed(last, accounts),
    data: {
      refund_id: last.refund,
      total_targets: batch.length,
      revoked: batch.length - failed,
      failed,
      completed_at: toIso(at),
    },
  }
}

declare module "../webhooks/events/Event.ts" {
  interface EventData {
    readonly "revocation.succeeded": typeof RevocationSucceeded.Type
    readonly "revocation.failed": typeof RevocationFailed.Type
    readonly "revocation.batch.completed": typeof BatchCompleted.Type
  }
}
