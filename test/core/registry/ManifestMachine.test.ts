import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  DELETION_GRACE,
  move,
  SERVICE_ACTIONS,
  type ServiceAction,
  table,
} from "../../../core/registry/ManifestMachine.ts"
import type { ManifestStatus, ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { edges } from "../../../core/shared/Machine.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"

const STATES = ["draft", "active", "paused", "deprecated", "deleted"] as const

const NOW = T0 + 40 * DAY

const PAUSED = { from: T0 + DAY, to: null }

const inState = (status: ManifestStatus): ServiceManifest =>
  aService({
    status,
    pauses: status === "paused" ? [PAUSED] : [],
    deprecated_at: status === "deprecated" || status === "deleted" ? T0 : null,
    deleted_at: status === "deleted" ? T0 + DELETION_GRACE : null,
  })

/** The pauses after a move: one begins with it, ends with it, or there is none. */
const pausesIn = (from: ManifestStatus, to: ManifestStatus) => {
  if (to === "paused") return [{ from: NOW, to: null }]
  return from === "paused" ? [{ ...PAUSED, to: NOW }] : []
}

/** Every legal transition. All others are refused. */
const LEGAL: { readonly [move: string]: ManifestStatus } = {
  "draft activate": "active",
  "active pause": "paused",
  "active deprecate": "deprecated",
  "paused resume": "active",
  "paused deprecate": "deprecated",
  "deprecated delete": "deleted",
}

const EVERY = STATES.flatMap((from) => SERVICE_ACTIONS.map((action) => [from, action] as const))

describe("the states of a manifest", () => {
  it.each(EVERY)("%s: %s", (from, action) => {
    const before = inState(from)
    const moved = move(before, action, NOW)
    const to = LEGAL[`${from} ${action}`]
    if (to === undefined) {
      assert.isTrue(Result.isFailure(moved))
      const { code, subject, details } = Result.getOrThrow(Result.flip(moved))
      assert.deepStrictEqual(
        { code, subject, details },
        {
          code: "INVALID_TRANSITION",
          subject: "service",
          details: { status: from, action },
        },
      )
      return
    }
    assert.deepStrictEqual(Result.getOrThrow(moved), {
      ...before,
      status: to,
      updated_at: NOW,
      pauses: pausesIn(from, to),
      deprecated_at: to === "deprecated" ? NOW : before.deprecated_at,
      deleted_at: to === "deleted" ? NOW : null,
      due_at: to === "deleted" ? NOW : null,
    })
  })

  it("are led through by the moves of the table and no others", () => {
    const found = edges(table).map(({ from, event, to }) => [`${from} ${event}`, to])
    assert.deepStrictEqual(Object.fromEntries(found), LEGAL)
  })
})

describe("deleting a deprecated manifest", () => {
  const deprecated = inState("deprecated")
  const at = (now: number, action: ServiceAction = "delete") => move(deprecated, action, now)

  it("waits for thirty days and says until when", () => {
    const refused = Result.getOrThrow(Result.flip(at(T0 + 30 * DAY - 1)))
    assert.strictEqual(refused.code, "INVALID_TRANSITION")
    assert.propertyVal(refused.details, "available_at", "2026-01-31T00:00:00.000Z")
  })

  it("is possible from that moment on", () => {
    assert.strictEqual(Result.getOrThrow(at(T0 + 30 * DAY)).status, "deleted")
  })
})
