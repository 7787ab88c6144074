import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  afterFailure,
  machine,
  type PendingRevocation,
  type RevocationMove,
  revocationsView,
} from "../../../core/revocations/Revocation.ts"
import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"
import { edges } from "../../../core/shared/Machine.ts"
import { revocationFacts, revocationIn, T0 } from "../../support/records.ts"

const error = { code: "permission_error", message: "No." } as const

const moves: ReadonlyArray<RevocationMove> = [
  { type: "released", at: T0 },
  { type: "retry", attempts: 1, error, due_at: T0 + SECOND },
  { type: "revoked", attempts: 1, at: T0, retention: 90 * DAY },
  { type: "failed", attempts: 4, error, at: T0 },
  { type: "retained" },
]

const legal: { readonly [edge: string]: string | undefined } = {
  "pending released": "pending",
  "pending retry": "pending",
  "pending revoked": "revoked",
  "pending failed": "failed",
  "revoked retained": "expired",
}

describe("the lifecycle of a revocation", () => {
  const statuses = Object.keys(revocationFacts) as ReadonlyArray<keyof typeof revocationFacts>
  const cases = statuses.flatMap((status) => moves.map((move) => [status, move] as const))

  it.each(cases)("%s, %o", (status, move) => {
    const moved = machine.step(revocationIn(status), move)
    const expected = legal[`${status} ${move.type}`]
    expect(Result.isSuccess(moved) ? moved.success.record.status : undefined).toBe(expected)
  })

  it("has no way back to pending, and none out of failed and expired", () => {
    const back = edges(machine.table).filter(
      ({ from, to }) => to === "pending" && from !== "pending",
    )
    expect(back).toStrictEqual([])
    expect(edges(machine.table)).toHaveLength(5)
  })

  it("keeps the time of the revocation when it expires", () => {
    const revoked = Result.getOrThrow(machine.step(revocationIn("pending"), moves[2]!)).record
    const expired = Result.getOrThrow(machine.step(revoked, { type: "retained" })).record
    expect(revoked).toMatchObject({ revoked_at: T0, due_at: T0 + 90 * DAY, error: null })
    expect(expired).toMatchObject({ status: "expired", revoked_at: T0, due_at: null })
  })

  it.each([
    [0, { type: "retry", attempts: 1, error, due_at: T0 + 1_000 }],
    [1, { type: "retry", attempts: 2, error, due_at: T0 + 4_000 }],
    [2, { type: "retry", attempts: 3, error, due_at: T0 + 16_000 }],
    [3, { type: "failed", attempts: 4, error, at: T0 }],
  ])("after %d attempts and one more that failed", (attempts, expected) => {
    const revocation = revocationIn("pending", { attempts }) as PendingRevocation
    expect(afterFailure(revocation, error, T0)).toStrictEqual(expected)
  })
})

describe("what a refund shows", () => {
  it("nothing where nothing is revoked", () => {
    expect(revocationsView([])).toStrictEqual({ revocations: [] })
  })

  it("each target in its order, and that not all are processed", () => {
    const shown = revocationsView([
      revocationIn("pending", { n: 2, position: 1 }),
      revocationIn("revoked", { n: 1, position: 0, scope: "read:full" }),
    ])
    const type = { target_type: "access_token" }
    expect(shown).toStrictEqual({
      revocations: [
        {
          ...type,
          target_id: "token-1",
          scope: "read:full",
          status: "revoked",
          revoked_at: "2026-01-01T00:00:01.000Z",
        },
        { ...type, target_id: "token-2", scope: "all", status: "pending" },
      ],
    })
  })

  it("that the batch is completed when each is revoked, expired or failed", () => {
    const shown = revocationsView([
      revocationIn("revoked", { n: 1, position: 0 }),
      revocationIn("failed", { n: 2, position: 1 }),
      revocationIn("expired", { n: 3, position: 2 }),
    ])
    expect(shown.revocation_batch_status).toBe("completed")
    expect(shown.revocations.map(({ status }) => status)).toStrictEqual([
      "revoked",
      "failed",
      "expired",
    ])
    expect(shown.revocations[1]).toMatchObject({ error: { code: "revocation_target_not_found" } })
  })
})
