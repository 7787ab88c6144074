import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { detectedChannels, granted, levelAt, withdrawn } from "../../../../core/kyc/agents/Agent.ts"
import { NOTICE, RETENTION, scheduled } from "../../../../core/kyc/verifications/Verification.ts"
import {
  machine,
  validUntil,
  type VerificationMove,
} from "../../../../core/kyc/verifications/VerificationMachine.ts"
import { edges } from "../../../../core/shared/Machine.ts"
import { DAY } from "../../../../core/shared/Timestamp.ts"
import { anAgent, T0, verificationIn } from "../../../support/records.ts"

const rejection = { code: "document_mismatch", message: "It is not.", details: {} }

const moves: ReadonlyArray<VerificationMove> = [
  { type: "submitted", challenge: null, retry_at: null, at: T0 + 1 },
  { type: "passed", level: "enhanced", at: T0 + 1 },
  { type: "refused", rejection, at: T0 + 1 },
  { type: "ended", at: T0 + 1 },
  { type: "replaced", at: T0 + 1 },
  { type: "reopened", at: T0 + 1 },
]

const states = ["unverified", "pending", "verified", "rejected", "expired"] as const

describe("the lifecycle", () => {
  const legal = new Map(edges(machine.table).map(({ event, from, to }) => [`${from} ${event}`, to]))

  test("has these moves and no others", () => {
    expect(Object.fromEntries(legal)).toEqual({
      "unverified submitted": "pending",
      "pending passed": "verified",
      "pending refused": "rejected",
      "verified refused": "rejected",
      "verified ended": "expired",
      "verified replaced": "expired",
      "rejected reopened": "pending",
    })
  })

  const pairs = states.flatMap((state) => moves.map((move) => [state, move.type, move] as const))
  test.each(pairs)("%s, %s", (state, type, move) => {
    const before = verificationIn(state)
    const moved = machine.step(before, move)
    const to = legal.get(`${state} ${type}`)
    if (to === undefined) return expect(Result.isFailure(moved)).toBe(true)
    const after = Result.getOrThrow(moved).record
    const facts = new Set(Object.keys(verificationIn(to as (typeof states)[number])))
    expect(new Set(Object.keys(after))).toEqual(facts)
    expect(after).toMatchObject({ status: to, updated_at: T0 + 1, created_at: T0 })
  })

  test.each([
    ["anonymous", null],
    ["basic", null],
    ["enhanced", T0 + 365 * DAY],
    ["business", T0 + 182 * DAY],
  ] as const)("%s is valid until its end", (level, end) => {
    expect(validUntil(level, T0)).toBe(end)
  })
})

describe("the worker's next look", () => {
  const keep_until = T0 + RETENTION
  test.each([
    ["waits for nothing", verificationIn("pending", { retry_at: null }), keep_until],
    ["has a code to send", verificationIn("pending", { retry_at: T0 + 5 }), T0 + 5],
    ["is to be announced", verificationIn("verified"), T0 + 365 * DAY - NOTICE],
    ["is to end", verificationIn("verified", { noticed: true }), T0 + 365 * DAY],
    ["has no end", verificationIn("verified", { expires_at: null }), keep_until],
    ["was rejected", verificationIn("rejected"), keep_until],
    ["has nothing left", verificationIn("expired", { sealed: null }), null],
  ])("at one that %s", (_name, verification, due_at) => {
    expect(scheduled(verification).due_at).toBe(due_at)
  })

  test("keeps data for five years at least, wherever they begin", () => {
    for (let year = 2024; year < 2032; year += 1) {
      const from = Date.UTC(year, 1, 28, 12)
      expect(from + RETENTION).toBeGreaterThanOrEqual(Date.UTC(year + 5, 1, 28, 12))
    }
  })
})

describe("an agent", () => {
  const nobody = anAgent({ verified: [], level: "anonymous" })
  const by = (
    verification_id: string,
    level: "basic" | "enhanced" | "business",
    expires_at: number | null,
    ...channels: ReadonlyArray<string>
  ) => ({ verification_id, level, expires_at, channels })

  test("has the highest of its levels that has not ended", () => {
    const agent = [
      by("a", "basic", null, "wallet_a"),
      by("b", "business", T0 + 10, "wallet_b", "wallet_a"),
      by("c", "enhanced", T0 + 20),
    ].reduce((held, standing) => granted(held, standing, T0), nobody)
    expect(agent.level).toBe("business")
    expect([9, 10, 19, 20].map((after) => levelAt(agent, T0 + after))).toEqual([
      "business",
      "enhanced",
      "enhanced",
      "basic",
    ])
    expect(detectedChannels(agent, T0)).toEqual(["wallet_a", "wallet_b"])
    expect(detectedChannels(agent, T0 + 10)).toEqual(["wallet_a"])
    expect(withdrawn(agent, "b", T0)).toMatchObject({ level: "enhanced" })
    expect(withdrawn(agent, "z", T0)).toEqual(agent)
  })

  test("is verified for a level once", () => {
    const first = granted(nobody, by("a", "enhanced", T0 + 10), T0)
    const second = granted(first, by("b", "enhanced", T0 + 20), T0)
    expect(second.verified).toEqual([by("b", "enhanced", T0 + 20)])
    expect(withdrawn(second, "b", T0).level).toBe("anonymous")
    expect(levelAt(undefined, T0)).toBe("anonymous")
    expect(detectedChannels(undefined, T0)).toEqual([])
  })
})
