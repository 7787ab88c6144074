import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { appeal, getAppeal, reviewAppeal } from "../../../core/kyc/reviews/appeals.ts"
import { getAgent } from "../../../core/kyc/verifications/getAgent.ts"
import { getVerification } from "../../../core/kyc/verifications/ownVerification.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import { detectedChannels } from "../../../core/kyc/agents/Agent.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { DAY, HOUR } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0, uuid } from "../../support/records.ts"
import { as, buyer, codeOf, seed, stranger } from "../../support/world.ts"
import {
  AGENT,
  becomeBasic,
  caller,
  codeIn,
  DATA,
  kycWorld,
  levelNow,
  makePost,
  submit,
  toldOf,
} from "./kycWorld.ts"

/** The agent's record as the store has it. */
const agentRecord = Effect.gen(function* () {
  const id = agentRecordId(buyer.id, AGENT, (yield* Vault).sha256)
  return yield* (yield* Store).find("agent", id)
})

/** Starts from an unverified agent. */
const begin = Effect.gen(function* () {
  yield* seed({ default_channel: "wallet_a" })
  const record = yield* agentRecord
  if (record === undefined) return
  yield* (yield* Store).commit({ writes: [{ op: "remove", kind: "agent", record }] })
})

const check = (
  name: string,
  test: (post: ReturnType<typeof makePost>) => Effect.Effect<void, unknown, unknown>,
) => {
  const post = makePost()
  return it.effect(name, () =>
    Effect.andThen(begin, test(post) as Effect.Effect<void, unknown>).pipe(
      Effect.provide(kycWorld(post)),
    ),
  )
}

describe("every level", () => {
  check("is pending in its answer; anonymous is verified at once afterwards", () =>
    Effect.gen(function* () {
      for (const level of ["anonymous", "basic", "enhanced", "business"] as const) {
        const view = yield* submit(level)
        expect(view).toMatchObject({ status: "pending", level, agent_id: AGENT })
        const now = yield* getVerification(caller, view.verification_id)
        const passes = level === "anonymous" || level === "enhanced"
        expect(now.status).toBe(passes ? "verified" : "pending")
      }
      expect(yield* levelNow).toBe("enhanced")
    }),
  )

  check("shows what it unlocks, and the end of a document's number alone", () =>
    Effect.gen(function* () {
      const view = yield* submit("enhanced")
      expect(view.data.document_number).toBe("****4567")
      expect(view.limits.daily).toStrictEqual({ currency: "USD", value: 10_000 })
      expect(view.channels).toContain("business_a")
      expect(view.channels).not.toContain("stablecoin_a")
    }),
  )

  check("is for agents of the account, and shown to it alone", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("enhanced")
      // Another account's agent of the same name is a different agent, like an unknown one.
      const theirs = yield* getAgent(as(stranger), AGENT)
      const nobodys = yield* getAgent(as(stranger), "nobody's agent")
      expect(theirs).toStrictEqual({ ...nobodys, agent_id: AGENT })
      const data = { email: "stranger@example.com", phone: "+14155550199" }
      const others = yield* verify(as(stranger), { agent_id: AGENT, level: "basic", data })
      expect(others.status).toBe("pending")
      expect(yield* codeOf(getVerification(as(stranger), verification_id))).toBe("NOT_FOUND")
      const mine = yield* getAgent(caller, "another agent of mine")
      expect(mine).toMatchObject({ level: "anonymous", verifications: [] })
    }),
  )
})

describe("basic", () => {
  check("asks for the code that both contacts get, and passes with it", (post) =>
    Effect.gen(function* () {
      const view = yield* submit("basic")
      expect(view).toMatchObject({
        challenge: { type: "otp", channels: ["email", "sms"] },
      })
      expect(post.taken.map(({ channel, to }) => [channel, to])).toStrictEqual([
        ["email", "ada@example.com"],
        ["sms", "+14155550123"],
      ])
      expect(yield* levelNow).toBe("anonymous")
      const otp = codeIn(post, view.verification_id)
      const verified = yield* verify(caller, { verification_id: view.verification_id, otp })
      expect(verified.status).toBe("verified")
      expect(yield* levelNow).toBe("basic")
      const [told] = yield* toldOf
      expect(told).toMatchObject({
        type: "kyc.verified",
        data: {
          verification_id: view.verification_id,
          agent_id: AGENT,
          level: "basic",
          previous_level: "anonymous",
          limits: { per_transaction: { currency: "USD", value: 100 } },
        },
      })
    }),
  )

  check("is accepted directly where a channel confirms its user", (post) =>
    Effect.gen(function* () {
      const view = yield* submit("basic", { channel_credentials: { wallet_b_open_id: "ok_1" } })
      expect(view).toMatchObject({
        status: "pending",
        channel_friction_reduced: true,
        friction_reduction_channels: ["wallet_b"],
      })
      expect(post.taken).toStrictEqual([])
      expect(yield* levelNow).toBe("basic")
      expect(detectedChannels(yield* agentRecord, T0)).toStrictEqual(["wallet_b"])
    }),
  )

  check("leads payments to the wallet that is known, unless another one is asked for", () =>
    Effect.gen(function* () {
      const order = {
        service_id: uuid(1),
        type: "one_time",
        amount: { currency: "USD", value: 699 },
        description: "One answer",
      } as const
      const channelOf = (said: { readonly payer_channel?: string }) =>
        Effect.map(createIntent(caller, { ...order, ...said }), ({ channel }) => channel)
      expect(yield* channelOf({})).toBe("wallet_a")
      yield* submit("basic", { channel_credentials: { wallet_b_open_id: "ok_1" } })
      expect(yield* channelOf({})).toBe("wallet_b")
      expect(yield* channelOf({ payer_channel: "auto" })).toBe("wallet_b")
      expect(yield* channelOf({ payer_channel: "wallet_a" })).toBe("wallet_a")
      const quick = yield* createOneTime(caller, {
        service_id: uuid(1),
        amount: order.amount,
        description: "One answer",
        payer: { agent_id: AGENT },
      })
      expect(quick.channel).toBe("wallet_b")
    }),
  )

  check("needs its code where the channel does not", (post) =>
    Effect.gen(function* () {
      const view = yield* submit("basic", { channel_credentials: { wallet_a_user_id: "u_1" } })
      expect(view).not.toHaveProperty("channel_friction_reduced")
      expect(post.taken).toHaveLength(2)
      expect(yield* levelNow).toBe("anonymous")
    }),
  )
})

describe("enhanced", () => {
  const withNumber = (document_number: string) =>
    submit("enhanced", { data: { ...DATA.enhanced, document_number } })

  check("is rejected by a check that fails, with the reason", () =>
    Effect.gen(function* () {
      for (const [number, code] of [
        ["P1230000", "document_mismatch"],
        ["P-1", "document_format_invalid"],
        ["P".repeat(21), "document_format_invalid"],
      ] as const) {
        const view = yield* withNumber(number)
        expect(view).toMatchObject({ status: "rejected", rejection_reason: { code } })
      }
      expect(yield* levelNow).toBe("anonymous")
      const told = yield* toldOf
      expect(told.map(({ type }) => type)).toStrictEqual(Array(3).fill("kyc.rejected"))
      expect(told[0]?.data).toMatchObject({
        level: "enhanced",
        rejection_reason: { code: "document_mismatch" },
        appeal_available: true,
        appeal_url: "https://pay.test/v1/kyc/appeal",
      })
    }),
  )

  check("waits for an authority that is away, and is asked again by the worker", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* withNumber("P1239999")
      const store = yield* Store
      const before = yield* store.find("verification", verification_id)
      expect(before).toMatchObject({ status: "pending", tries: 0, due_at: T0 + 30_000 })
      yield* TestClock.adjust(30_000)
      expect(yield* runDue()).toBe(1)
      const after = yield* store.find("verification", verification_id)
      expect(after).toMatchObject({ status: "pending", tries: 1, due_at: T0 + 90_000 })
      yield* reviewVerification(verification_id, { decision: "approve" })
      expect(yield* levelNow).toBe("enhanced")
    }),
  )

  check("keeps the level in force when it is rejected; asked again, it is a new one", (post) =>
    Effect.gen(function* () {
      yield* becomeBasic(post)
      const rejected = yield* withNumber("P1230000")
      expect(yield* levelNow).toBe("basic")
      const again = yield* withNumber("P1234567")
      expect(again.verification_id).not.toBe(rejected.verification_id)
      expect(yield* levelNow).toBe("enhanced")
      expect((yield* getVerification(caller, rejected.verification_id)).status).toBe("rejected")
    }),
  )

  check("needs no documents where a channel confirms its user, and needs them elsewhere", () =>
    Effect.gen(function* () {
      const { document_number: _n, document_type: _t, ...data } = DATA.enhanced
      expect(yield* codeOf(submit("enhanced", { data }))).toBe("validation_error")
      const unknown = { wallet_a_user_id: "u_1" }
      const refused = submit("enhanced", { data, channel_credentials: unknown })
      expect(yield* codeOf(refused)).toBe("validation_error")
      const known = { wallet_a_user_id: "ok_1" }
      const view = yield* submit("enhanced", { data, channel_credentials: known })
      expect(view).toMatchObject({ channel_friction_reduced: true })
      expect(yield* levelNow).toBe("enhanced")
    }),
  )
})

describe("business", () => {
  check("waits for a reviewer, who may also reject what was verified", () =>
    Effect.gen(function* () {
      const view = yield* submit("business")
      expect(view).toMatchObject({
        compliance_review_required: true,
        estimated_review_time_hours: 48,
      })
      const id = view.verification_id
      expect((yield* reviewVerification(id, { decision: "approve" })).status).toBe("verified")
      expect(yield* levelNow).toBe("business")
      expect(yield* codeOf(reviewVerification(id, { decision: "approve" }))).toBe(
        "INVALID_TRANSITION",
      )
      const rejected = yield* reviewVerification(id, { decision: "reject", reason: "Struck off." })
      expect(rejected).toMatchObject({
        status: "rejected",
        rejection_reason: { code: "compliance_rejected", message: "Struck off." },
      })
      expect(yield* levelNow).toBe("anonymous")
    }),
  )

  check("falls to the highest level that is still verified", (post) =>
    Effect.gen(function* () {
      yield* becomeBasic(post)
      const { verification_id } = yield* submit("business")
      yield* reviewVerification(verification_id, { decision: "approve" })
      yield* reviewVerification(verification_id, { decision: "reject" })
      expect(yield* levelNow).toBe("basic")
      expect(yield* codeOf(reviewVerification("kyc_nothing", { decision: "reject" }))).toBe(
        "NOT_FOUND",
      )
    }),
  )

  check("a code's verification is not a reviewer's to approve", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const approved = reviewVerification(verification_id, { decision: "approve" })
      expect(yield* codeOf(approved)).toBe("INVALID_TRANSITION")
      expect(yield* levelNow).toBe("anonymous")
    }),
  )
})

describe("an appeal", () => {
  const rejected = submit("enhanced", {
    data: { ...DATA.enhanced, document_number: "P1230000" },
  })

  check("changes nothing by itself; overturned, the verification passes", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* rejected
      const made = yield* appeal(caller, { verification_id, reason: "It is mine." })
      expect(made).toMatchObject({ status: "under_review", verification_id })
      expect(Date.parse(made.estimated_resolution)).toBe(T0 + 48 * HOUR)
      expect(yield* levelNow).toBe("anonymous")
      expect((yield* getVerification(caller, verification_id)).status).toBe("rejected")
      const reviewed = yield* reviewAppeal(made.appeal_id, { decision: "overturned" })
      expect(reviewed.status).toBe("overturned")
      expect(yield* levelNow).toBe("enhanced")
      const view = yield* getVerification(caller, verification_id)
      expect(view).toMatchObject({ status: "verified" })
      expect(view).not.toHaveProperty("rejection_reason")
      const again = reviewAppeal(made.appeal_id, { decision: "upheld" })
      expect(yield* codeOf(again)).toBe("INVALID_TRANSITION")
    }),
  )

  check("upheld, leaves the rejection as it is", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* rejected
      const { appeal_id } = yield* appeal(caller, { verification_id, reason: "It is mine." })
      yield* reviewAppeal(appeal_id, { decision: "upheld" })
      expect((yield* getAppeal(caller, appeal_id)).status).toBe("upheld")
      expect((yield* getVerification(caller, verification_id)).status).toBe("rejected")
      expect(yield* levelNow).toBe("anonymous")
    }),
  )

  check("is for one's own rejection, once", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* rejected
      const said = { verification_id, reason: "It is mine." }
      expect(yield* codeOf(appeal(as(stranger), said))).toBe("NOT_FOUND")
      const { appeal_id } = yield* appeal(caller, said)
      expect(yield* codeOf(appeal(caller, said))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(getAppeal(as(stranger), appeal_id))).toBe("NOT_FOUND")
      const pending = yield* submit("business")
      const early = { verification_id: pending.verification_id, reason: "Hurry." }
      expect(yield* codeOf(appeal(caller, early))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(reviewAppeal("appl_nothing", { decision: "upheld" }))).toBe("NOT_FOUND")
    }),
  )
})

describe("time", () => {
  const stepTo = Effect.fnUntraced(function* (at: number) {
    yield* TestClock.setTime(at)
    yield* runDue()
  })

  for (const [level, days] of [
    ["enhanced", 365],
    ["business", 182],
  ] as const) {
    check(
      `${level} is announced to end exactly 30 days before, and ends after ${days} days`,
      (post) =>
        Effect.gen(function* () {
          yield* becomeBasic(post)
          const { verification_id } = yield* submit(level)
          if (level === "business") {
            yield* reviewVerification(verification_id, { decision: "approve" })
          }
          const end = T0 + days * DAY
          const kinds = Effect.map(toldOf, (told) => told.slice(2).map(({ type }) => type))
          yield* stepTo(end - 30 * DAY - 1)
          expect(yield* kinds).toStrictEqual([])
          yield* stepTo(end - 30 * DAY)
          expect(yield* kinds).toStrictEqual(["kyc.expiring"])
          const expiring = (yield* toldOf)[2]
          expect(expiring).toMatchObject({ created_at: end - 30 * DAY, data: { level } })
          yield* stepTo(end - 1)
          expect(yield* levelNow).toBe(level)
          // The level has ended before any worker has noticed.
          yield* TestClock.setTime(end)
          expect(yield* levelNow).toBe("basic")
          expect((yield* getVerification(caller, verification_id)).status).toBe("expired")
          yield* runDue()
          expect(yield* kinds).toStrictEqual(["kyc.expiring", "kyc.expired"])
          const expired = (yield* toldOf)[3]
          expect(expired?.data).toMatchObject({
            verification_id,
            level,
            limits: { per_transaction: { currency: "USD", value: 100 } },
          })
          expect((yield* agentRecord)?.level).toBe("basic")
        }),
    )
  }

  check("a level that is verified again runs from then on, without a word of the old end", () =>
    Effect.gen(function* () {
      const first = yield* submit("enhanced")
      yield* stepTo(T0 + 100 * DAY)
      yield* submit("enhanced")
      expect((yield* getVerification(caller, first.verification_id)).status).toBe("expired")
      yield* stepTo(T0 + 365 * DAY)
      expect(yield* levelNow).toBe("enhanced")
      yield* stepTo(T0 + 435 * DAY)
      yield* stepTo(T0 + 465 * DAY)
      expect(yield* levelNow).toBe("anonymous")
      const told = yield* toldOf
      expect(told.map(({ type }) => type)).toStrictEqual([
        "kyc.verified",
        "kyc.verified",
        "kyc.expiring",
        "kyc.expired",
      ])
    }),
  )

  check("runs over leap days as over any others", () =>
    Effect.gen(function* () {
      const leap = Date.UTC(2028, 1, 29, 12)
      yield* stepTo(leap)
      const view = yield* submit("enhanced")
      const expires_at = "2029-02-28T12:00:00.000Z"
      const shown = yield* getVerification(caller, view.verification_id)
      expect(shown).toMatchObject({ expires_at })
      yield* stepTo(Date.UTC(2029, 0, 29, 12))
      const told = yield* toldOf
      expect(told.at(-1)).toMatchObject({
        type: "kyc.expiring",
        data: { expires_at },
      })
    }),
  )

  check("erases what was submitted five years after the account's last verification", (post) =>
    Effect.gen(function* () {
      const store = yield* Store
      const { verification_id } = yield* becomeBasic(post)
      yield* stepTo(T0 + 1_000 * DAY)
      const later = yield* submit("enhanced")
      yield* stepTo(T0 + 5 * 366 * DAY)
      expect((yield* store.find("verification", verification_id))?.sealed).not.toBeNull()
      yield* stepTo(T0 + 1_000 * DAY + 5 * 366 * DAY)
      for (const id of [verification_id, later.verification_id]) {
        expect(yield* store.find("verification", id)).toMatchObject({ sealed: null, due_at: null })
        expect((yield* getVerification(caller, id)).data).toStrictEqual({})
      }
      expect(yield* levelNow).toBe("basic")
      expect(yield* store.nextDueAt()).toBeUndefined()
    }),
  )
})
