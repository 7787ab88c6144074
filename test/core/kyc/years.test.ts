import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import { LIMITS, reserve, spendingOf } from "../../../core/kyc/limits/Limits.ts"
import { purgeDays } from "../../../core/kyc/limits/purgeDays.ts"
import { appeal, reviewAppeal } from "../../../core/kyc/reviews/appeals.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { DAY, utcDay } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { id, T0 } from "../../support/records.ts"
import { buyer, seed } from "../../support/world.ts"
import { AGENT, caller, DATA, kycWorld, levelNow, makePost, submit, toldOf } from "./kycWorld.ts"

/** Starts from an unverified agent. */
const begin = Effect.gen(function* () {
  yield* seed()
  const agent = agentRecordId(buyer.id, AGENT, (yield* Vault).sha256)
  const record = yield* (yield* Store).find("agent", agent)
  if (record === undefined) return
  yield* (yield* Store).commit({ writes: [{ op: "remove", kind: "agent", record }] })
})

const stepTo = Effect.fnUntraced(function* (at: number) {
  yield* TestClock.setTime(at)
  yield* runDue()
})

const told = Effect.map(toldOf, (events) =>
  events.map(({ created_at, type }) => [type, utcDay(created_at)]),
)

/** Verifies the buyer's agent for a level, as its reviewer where there is to be one. */
const becomeLevel = Effect.fnUntraced(function* (level: "enhanced" | "business") {
  const { verification_id } = yield* submit(level)
  if (level === "business") yield* reviewVerification(verification_id, { decision: "approve" })
})

/** Runs in a world in which due work sends nothing and asks for no other time. */
const inWorld = (played: Effect.Effect<void, unknown, unknown>) =>
  Effect.provide(played as Effect.Effect<void, unknown>, kycWorld(makePost()))

const ROUNDS = 7

describe("levels that are verified again and again", () => {
  const starts = ["2026-12-31", "2027-02-28", "2028-02-29", "2031-03-01"]
  for (const [level, days] of [
    ["enhanced", 365],
    ["business", 182],
  ] as const) {
    it.effect.each(starts)(`${level}, from %s: each end is announced 30 days before`, (start) =>
      Effect.gen(function* () {
        yield* begin
        const expected: Array<readonly [string, string]> = []
        let at = Date.parse(`${start}T23:59:59.999Z`)
        yield* stepTo(at)
        for (let round = 0; round < ROUNDS; round += 1) {
          yield* becomeLevel(level)
          expected.push(["kyc.verified", utcDay(at)])
          const notice = at + (days - 30) * DAY
          yield* stepTo(notice - 1)
          expect(yield* told).toStrictEqual(expected)
          yield* stepTo(notice)
          expected.push(["kyc.expiring", utcDay(notice)])
          expect(yield* told).toStrictEqual(expected)
          expect(yield* levelNow).toBe(level)
          // After another verification in the last 30 days, the old end is never announced.
          at = notice + (round % 3) * 10 * DAY
          yield* stepTo(at)
        }
        yield* becomeLevel(level)
        expected.push(["kyc.verified", utcDay(at)])
        const end = at + days * DAY
        yield* stepTo(end - 30 * DAY)
        yield* stepTo(end - 1)
        expect(yield* levelNow).toBe(level)
        yield* stepTo(end)
        expected.push(["kyc.expiring", utcDay(end - 30 * DAY)], ["kyc.expired", utcDay(end)])
        expect(yield* told).toStrictEqual(expected)
        expect(yield* levelNow).toBe("anonymous")
      }).pipe(inWorld),
    )
  }
})

it.effect("what was spent on a day is forgotten a week after it", () =>
  Effect.gen(function* () {
    yield* begin
    const store = yield* Store
    const who = { account_id: buyer.id, agent: id("agt", 9) }
    const spender = { ...who, party: "payer", level: "anonymous", persons: [] } as const
    const reservations = [T0, T0 + DAY].flatMap((at) =>
      reserve(LIMITS, "anonymous", spendingOf(spender, 5, at)),
    )
    yield* store.commit({ writes: [], reservations })
    const purgedAt = (at: number) => Effect.andThen(TestClock.setTime(at), purgeDays())
    expect(yield* purgedAt(T0 + 8 * DAY - 1)).toBe(0)
    expect(yield* purgedAt(T0 + 8 * DAY)).toBe(2)
    expect(yield* purgedAt(T0 + 9 * DAY)).toBe(2)
    expect(yield* purgedAt(T0 + 99 * DAY)).toBe(0)
  }).pipe(inWorld),
)

describe("after its data has been erased, a verification", () => {
  const later = T0 + 6 * 366 * DAY

  it.effect("is not approved, and is no longer checked", () =>
    Effect.gen(function* () {
      yield* begin
      const pending = [
        yield* submit("business"),
        // Its authority does not answer, so the worker goes on asking.
        yield* submit("enhanced", { data: { ...DATA.enhanced, document_number: "P1239999" } }),
      ]
      yield* stepTo(later)
      for (const { verification_id } of pending) {
        const approved = reviewVerification(verification_id, { decision: "approve" })
        expect(yield* Effect.flip(approved)).toMatchObject({
          code: "INVALID_TRANSITION",
          message: expect.stringContaining("its data has been erased"),
        })
      }
      expect(yield* levelNow).toBe("anonymous")
      expect(yield* (yield* Store).nextDueAt()).toBeUndefined()
      const [first] = pending
      yield* reviewVerification(first?.verification_id ?? "", { decision: "reject" })
    }).pipe(inWorld),
  )

  it.effect("does not pass by an appeal, which can still be upheld", () =>
    Effect.gen(function* () {
      yield* begin
      const data = { ...DATA.enhanced, document_number: "P1230000" }
      const { verification_id } = yield* submit("enhanced", { data })
      const { appeal_id } = yield* appeal(caller, { verification_id, reason: "It is mine." })
      yield* stepTo(later)
      const overturned = reviewAppeal(appeal_id, { decision: "overturned" })
      expect(yield* Effect.flip(overturned)).toMatchObject({ code: "INVALID_TRANSITION" })
      expect(yield* levelNow).toBe("anonymous")
      expect(yield* reviewAppeal(appeal_id, { decision: "upheld" })).toMatchObject({
        status: "upheld",
      })
    }).pipe(inWorld),
  )
})
