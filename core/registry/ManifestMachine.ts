import { Result } from "effect"
import { Failure } from "../shared/Failure.ts"
import * as Machine from "../shared/Machine.ts"
import { DAY, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { pausesAfter } from "./Pauses.ts"
import type { ManifestStatus, ServiceManifest } from "./ServiceManifest.ts"

/** How long a deprecated manifest stays before it can be deleted, in milliseconds. */
export const DELETION_GRACE = 30 * DAY

/** How long a deleted manifest is kept at least before it is purged, in milliseconds. */
export const KEPT_AFTER_DELETION = 30 * DAY

/** The moves that an owner can request. */
export const SERVICE_ACTIONS = ["activate", "pause", "resume", "deprecate", "delete"] as const
/** One of {@link SERVICE_ACTIONS}. */
export type ServiceAction = (typeof SERVICE_ACTIONS)[number]

interface Move {
  readonly type: ServiceAction
  readonly at: Timestamp
}

/** A manifest has the same fields in every state; moves set their times. */
type Facts = { readonly [Status in ManifestStatus]: object }

const touch = ({ at }: Move) => ({ updated_at: at })

const deprecate = {
  to: "deprecated",
  set: ({ at }: Move) => ({ updated_at: at, deprecated_at: at }),
} as const

/** The legal moves of a manifest. */
export const table: Machine.Table<Facts, Move & { readonly type: ServiceAction }, never> = {
  draft: { activate: { to: "active", set: touch } },
  active: { pause: { to: "paused", set: touch }, deprecate },
  paused: { resume: { to: "active", set: touch }, deprecate },
  deprecated: {
    delete: {
      to: "deleted",
      // A worker closes its tabs at once, and then sets when it is purged.
      set: ({ at }) => ({ updated_at: at, deleted_at: at, due_at: at }),
    },
  },
  deleted: {},
}

const machine = Machine.make<Omit<ServiceManifest, "status">, Facts, Move, never>(table)

const invalid = (message: string, details: object) =>
  new Failure({ code: "INVALID_TRANSITION", subject: "service", message, details })

/**
 * Moves a manifest (States and transitions, ServiceManifest).
 *
 * Fails with `INVALID_TRANSITION` for a move that the table does not have, and for a deletion
 * before the grace period is over, with `details.available_at`.
 */
export const move = (
  manifest: ServiceManifest,
  action: ServiceAction,
  now: Timestamp,
): Result.Result<ServiceManifest, Failure<"INVALID_TRANSITION">> => {
  const moved = machine.step(manifest, { type: action, at: now })
  if (Result.isFailure(moved)) {
    const { status } = manifest
    const message = `A service that is ${status} cannot be ${PARTICIPLES[action]}.${AFTER[status]}`
    return Result.fail(invalid(message, { status, action }))
  }
  const availableAt = (manifest.deprecated_at ?? now) + DELETION_GRACE
  if (action === "delete" && now < availableAt) {
    return Result.fail(
      invalid(`A deprecated service cannot be deleted before ${toIso(availableAt)}.`, {
        status: manifest.status,
        action,
        available_at: toIso(availableAt),
      }),
    )
  }
  const { record } = moved.success
  return Result.succeed({ ...record, pauses: pausesAfter(manifest, record.status, now) })
}

/** What to do in a state that allows no other move. */
const AFTER: { readonly [Status in ServiceManifest["status"]]: string } = {
  draft: "",
  active: "",
  paused: "",
  deprecated: " That is final: to sell again, register a service under another name.",
  deleted: " To sell again, register it anew.",
}

const PARTICIPLES: { readonly [Action in ServiceAction]: string } = {
  activate: "activated",
  pause: "paused",
  resume: "resumed",
  deprecate: "deprecated",
  delete: "deleted",
}
