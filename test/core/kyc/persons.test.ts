import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Account } from "../../../core/accounts/Account.ts"
import { personsOf } from "../../../core/kyc/verifications/Person.ts"
import { getAgent } from "../../../core/kyc/verifications/getAgent.ts"
import { appeal, getAppeal, reviewAppeal } from "../../../core/kyc/reviews/appeals.ts"
import { getVerification } from "../../../core/kyc/verifications/ownVerification.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { aService } from "../../support/records.ts"
import { as, buyer, codeOf, seed, stranger } from "../../support/world.ts"
import { codeIn, DATA, kycWorld, makePost, submit } from "./kycWorld.ts"

const service_id = aService({ n: 1 }).id

const pay = (account: Account, agent_id: string, value: number) =>
  createIntent(as(account), {
    service_id,
    type: "one_time",
    amount: { currency: "USD", value },
    description: "A report",
    payer: { agent_id },
  })

/** Starts from unverified agents. */
const begin = Effect.gen(function* () {
  yield* seed({ default_channel: "wallet_a" })
  const store = yield* Store
  const { sha256 } = yield* Vault
  for (const { agent_id, id } of [buyer, stranger]) {
    const record = yield* store.find("agent", agentRecordId(id, agent_id, sha256))
    if (record !== undefined) {
      yield* store.commit({ writes: [{ op: "remove", kind: "agent", record }] })
    }
  }
})

const enhanced = (account: Account, agent_id: string, said: object = {}) =>
  submit("enhanced", { agent_id, data: { ...DATA.enhanced, ...said } }, account)

const basic = Effect.fnUntraced(function* (
  post: ReturnType<typeof makePost>,
  account: Account,
  agent_id: string,
  data: { readonly email: string; readonly phone: string } = DATA.basic,
) {
  const { verification_id } = yield* submit("basic", { agent_id, data }, account)
  return yield* verify(as(account), { verification_id, otp: codeIn(post, verification_id) })
})

const contacts = (n: number) => ({ email: `ada${n}@example.com`, phone: `+1415555012${n}` })

describe("the limits of a person", () => {
  const post = makePost()
  const inWorld = Effect.provide(kycWorld(post))

  it.effect("are the same for each agent that the document has verified, in every account", () =>
    Effect.gen(function* () {
      yield* begin
      yield* enhanced(buyer, buyer.agent_id)
      yield* enhanced(buyer, "second", { document_number: "p1234567" })
      yield* enhanced(stranger, stranger.agent_id)
      const by = [
        [buyer, buyer.agent_id],
        [buyer, "second"],
        [stranger, stranger.agent_id],
      ] as const
      for (let n = 0; n < 10; n += 1) {
        const [account, agent] = by[n % by.length] ?? by[0]
        yield* pay(account, agent, 100_000)
      }
      for (const [account, agent] of by) {
        expect(yield* codeOf(pay(account, agent, 1))).toBe("INSUFFICIENT_KYC")
      }
    }).pipe(inWorld),
  )

  it.effect("never add up to more, however many agents pay at once", () =>
    Effect.gen(function* () {
      yield* begin
      const agents = ["one", "two", "three", "four"]
      for (const agent of agents) yield* enhanced(buyer, agent)
      const codes = yield* Effect.forEach(
        Array.from({ length: 24 }, (_, n) => agents[n % agents.length] ?? ""),
        (agent) => codeOf(pay(buyer, agent, 100_000)),
        { concurrency: "unbounded" },
      )
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(10)
    }).pipe(inWorld),
  )

  it.effect("are others for another document", () =>
    Effect.gen(function* () {
      yield* begin
      yield* enhanced(buyer, "one")
      yield* enhanced(buyer, "two", { document_number: "P7654321" })
      yield* Effect.forEach(Array.from({ length: 10 }), () => pay(buyer, "one", 100_000))
      expect(yield* codeOf(pay(buyer, "one", 1))).toBe("INSUFFICIENT_KYC")
      expect(yield* codeOf(pay(buyer, "two", 100_000))).toBe("succeeded")
    }).pipe(inWorld),
  )

  it.effect("are a company's by its registration number", () =>
    Effect.gen(function* () {
      yield* begin
      for (const [agent_id, document_number] of [
        ["one", "P1000000"],
        ["two", "P2000001"],
      ] as const) {
        const data = { ...DATA.business, document_number }
        const { verification_id } = yield* submit("business", { agent_id, data })
        yield* reviewVerification(verification_id, { decision: "approve" })
      }
      const some = Array.from({ length: 10 })
      yield* Effect.forEach(some, (_, n) => pay(buyer, n % 2 === 0 ? "one" : "two", 1_000_000))
      expect(yield* codeOf(pay(buyer, "one", 1))).toBe("INSUFFICIENT_KYC")
      expect(yield* codeOf(pay(buyer, "two", 1))).toBe("INSUFFICIENT_KYC")
    }).pipe(inWorld),
  )

  it.effect("are a wallet's user's, where the channel has vouched for it", () =>
    Effect.gen(function* () {
      yield* begin
      const channel_credentials = { wallet_a_user_id: "ok_ada" }
      yield* submit("basic", { agent_id: "one", channel_credentials })
      yield* submit("basic", { agent_id: "two", data: contacts(2), channel_credentials })
      yield* Effect.forEach(Array.from({ length: 10 }), () => pay(buyer, "one", 10_000))
      expect(yield* codeOf(pay(buyer, "two", 1))).toBe("INSUFFICIENT_KYC")
    }).pipe(inWorld),
  )

  it("rest on keyed hashes: no document can be read off or guessed from them", () => {
    const marks = personsOf(DATA.business, {}, [], (text) => `keyed ${text.length}`)
    expect(marks).toHaveLength(2)
    expect(marks.join()).not.toMatch(/P1234567|0001815/)
  })
})

describe("a contact", () => {
  const post = makePost()
  const inWorld = Effect.provide(kycWorld(post))

  it.effect("verifies three agents, over all accounts, and rejects the fourth", () =>
    Effect.gen(function* () {
      yield* begin
      yield* basic(post, buyer, "one")
      yield* basic(post, buyer, "two")
      yield* basic(post, stranger, "three")
      // An address with a tag is the same mailbox; the phone is another.
      const other = { email: "ada+4@example.com", phone: "+14155550199" }
      const fourth = yield* basic(post, stranger, "four", other)
      expect(fourth).toMatchObject({
        status: "rejected",
        rejection_reason: { code: "contact_limit_reached" },
      })
      expect((yield* getAgent(as(stranger), "four")).level).toBe("anonymous")
      expect(yield* basic(post, buyer, "four", contacts(5))).toMatchObject({ status: "verified" })
    }).pipe(inWorld),
  )

  it.effect("counts once for an agent that is verified again, and is given back", () =>
    Effect.gen(function* () {
      yield* begin
      for (const agent of ["one", "one", "two", "three"]) {
        expect(yield* basic(post, buyer, agent)).toMatchObject({ status: "verified" })
      }
      yield* TestClock.adjust("1 hour")
      expect(yield* basic(post, buyer, "four", DATA.basic)).toMatchObject({ status: "rejected" })
      // Another contact replaces this one.
      expect(yield* basic(post, buyer, "three", contacts(6))).toMatchObject({ status: "verified" })
      expect(yield* basic(post, stranger, "five")).toMatchObject({ status: "verified" })
      expect(yield* basic(post, stranger, "six")).toMatchObject({ status: "rejected" })
    }).pipe(inWorld),
  )

  it.effect("verifies no more by appeals that are overturned", () =>
    Effect.gen(function* () {
      yield* begin
      const appealed = Effect.fnUntraced(function* (agent_id: string) {
        const said = { agent_id, data: DATA.basic }
        const { verification_id } = yield* submit("basic", said, buyer)
        yield* reviewVerification(verification_id, { decision: "reject" })
        const reason = "They are mine."
        const { appeal_id } = yield* appeal(as(buyer), { verification_id, reason })
        return { appeal_id, verification_id }
      })
      const decisions: Array<string> = []
      for (const agent of ["one", "two", "three"]) {
        const { appeal_id } = yield* appealed(agent)
        decisions.push((yield* reviewAppeal(appeal_id, { decision: "overturned" })).status)
        expect((yield* getAgent(as(buyer), agent)).level).toBe("basic")
        yield* TestClock.adjust("1 hour")
      }
      expect(decisions).toEqual(["overturned", "overturned", "overturned"])
      const { appeal_id, verification_id } = yield* appealed("four")
      const fourth = reviewAppeal(appeal_id, { decision: "overturned" })
      expect(yield* codeOf(fourth)).toBe("INVALID_TRANSITION")
      expect((yield* getAppeal(as(buyer), appeal_id)).status).toBe("under_review")
      expect((yield* getVerification(as(buyer), verification_id)).status).toBe("rejected")
      expect((yield* getAgent(as(buyer), "four")).level).toBe("anonymous")
      // The contact is given back, and the same appeal can be overturned.
      yield* basic(post, buyer, "three", contacts(6))
      expect((yield* reviewAppeal(appeal_id, { decision: "overturned" })).status).toBe("overturned")
      expect((yield* getAgent(as(buyer), "four")).level).toBe("basic")
    }).pipe(inWorld),
  )
})
