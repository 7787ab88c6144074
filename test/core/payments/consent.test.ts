import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import type { KycLevel } from "../../../core/channels/Channel.ts"
import { deleteInstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { attemptPayment } from "../../../core/payments/attemptPayment.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import type { IntentView } from "../../../core/payments/IntentView.ts"
import { listIntents } from "../../../core/payments/listIntents.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { isFailure } from "../../../core/shared/Failure.ts"
import { aService } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, codeOf, deliver, seed, seller, world } from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })
const service_id = aService({ n: 1 }).id
const victim = { agent_id: buyer.agent_id }
const nobody = { agent_id: "nobody-has-this-name" }

/** Puts an account's agent on another level. */
const putOn = Effect.fnUntraced(function* (account: typeof buyer, level: KycLevel) {
  const store = yield* Store
  const id = agentRecordId(account.id, account.agent_id, (yield* Vault).sha256)
  const agent = yield* store.find("agent", id)
  if (agent === undefined) return yield* Effect.die("the agent has no record")
  const verified = [{ verification_id: "kyc_", level, expires_at: null, channels: [] }]
  const record = { ...agent, level, verified }
  yield* store.commit({ writes: [{ op: "replace", kind: "agent", record }] })
})

const request = (value: number, payer?: { readonly agent_id: string }, caller = seller) =>
  createIntent(as(caller), {
    service_id,
    type: "one_time",
    amount: usd(value),
    description: "The seller's text",
    return_url: "https://seller.example/come-here",
    ...(payer !== undefined && { payer }),
  })

const oneTime = (value: number, payer: { readonly agent_id: string }, caller = seller) =>
  createOneTime(as(caller), { service_id, amount: usd(value), description: "A report", payer })

const ask = (value: number, payer?: { readonly agent_id: string }) =>
  attemptPayment(as(seller), { amount: usd(value), ...(payer !== undefined && { payer }) })

const failureOf = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => {
    if (!isFailure(error)) throw new Error(`not a Failure: ${String(error)}`)
    return { code: error.code, message: error.message, details: error.details as object }
  })

type Made = Pick<IntentView, "id" | "payer">

/** A payment of an agent that exists and one of an agent that does not are the same to a seller. */
const readsAlike = <V extends Made, E, R>(
  make: (value: number, payer: { readonly agent_id: string }) => Effect.Effect<V, E, R>,
) =>
  Effect.gen(function* () {
    const [theirs, free] = [yield* make(2_000, victim), yield* make(2_000, nobody)]
    const { id, payer } = free
    const named = JSON.stringify({ ...theirs, payer }).replaceAll(theirs.id, id)
    expect(JSON.parse(named)).toEqual(JSON.parse(JSON.stringify(free)))
    const refused = yield* failureOf(make(10_001, victim))
    expect(refused).toEqual(yield* failureOf(make(10_001, nobody)))
    expect(refused.details).toMatchObject({ party: "payee", current_kyc_level: "basic" })
  })

const listed = Effect.map(listIntents(as(buyer), { limit: 20 }), ({ data }) => data.length)

const inWorld = Effect.provide(world(makeScript()))

const install = putInstall(as(buyer), service_id, {})

describe("a payer that has not installed the service", () => {
  it.effect("loses none of its limits to a seller that names it", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(buyer, "anonymous")
      yield* Effect.forEach(Array.from({ length: 10 }), () => request(1_000, victim))
      yield* Effect.forEach(Array.from({ length: 10 }), () => oneTime(1_000, victim))
      expect((yield* request(100, undefined, buyer)).status).toBe("pending")
    }).pipe(inWorld),
  )

  it.effect("finds nothing of it in its list", () =>
    Effect.gen(function* () {
      yield* seed()
      const named = yield* request(100, victim)
      yield* oneTime(100, victim)
      expect(named.payer.agent_id).toBe(buyer.agent_id)
      expect(yield* listed).toBe(0)
      const stored = yield* (yield* Store).find("payment_intent", named.id)
      expect(stored?.payer_account_id).toBeNull()
    }).pipe(inWorld),
  )

  it.effect("reads like one that nobody has: in answers, refusals and questions", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(buyer, "anonymous")
      yield* putOn(seller, "basic")
      yield* readsAlike(request)
      yield* readsAlike(oneTime)
      expect(yield* ask(100, victim)).toEqual(yield* ask(100, nobody))
      expect(yield* ask(100, victim)).toEqual(yield* ask(100))
      expect(yield* ask(100, victim)).toMatchObject({ current_kyc_level: "basic" })
      const question = yield* failureOf(ask(10_001, victim))
      expect(question).toEqual(yield* failureOf(ask(10_001)))
      expect(question.details).toMatchObject({ party: "payee" })
    }).pipe(inWorld),
  )
})

describe("a payer that has installed the service", () => {
  it.effect("can be named by its seller, within its own limits and in its list", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(buyer, "anonymous")
      yield* install
      const named = yield* request(1_000, victim)
      expect(yield* listed).toBe(1)
      expect((yield* (yield* Store).find("payment_intent", named.id))?.payer_account_id).toBe(
        buyer.id,
      )
      const refused = yield* failureOf(request(1_001, victim))
      expect(refused.code).toBe("INSUFFICIENT_KYC")
      // A refusal does not tell another account the wallet's limits.
      expect(Object.keys(refused.details)).toEqual(["party", "requested_amount", "limit"])
      expect(refused.message).not.toContain("anonymous")
      yield* Effect.forEach(Array.from({ length: 9 }), () => request(1_000, victim))
      const full = yield* failureOf(request(1, victim))
      expect(full.details).toMatchObject({ party: "payer", limit: "daily" })
      expect(JSON.stringify(full)).not.toMatch(/anonymous|basic/)
      expect(yield* codeOf(request(1, undefined, buyer))).toBe("INSUFFICIENT_KYC")
    }).pipe(inWorld),
  )

  it.effect("is left alone once it has removed the install", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* install
      yield* deleteInstall(as(buyer), id)
      yield* request(1_000, victim)
      expect(yield* listed).toBe(0)
    }).pipe(inWorld),
  )
})

describe("a payment of nobody in particular", () => {
  it.effect.each([
    ["anonymous", 1_000],
    ["basic", 10_000],
    ["enhanced", 100_000],
    ["business", 1_000_000],
  ] as const)("takes the limits of a payee that is %s: %d cents at a time", ([level, most]) =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(seller, level)
      expect((yield* request(most)).status).toBe("pending")
      const refused = yield* failureOf(request(most + 1))
      expect(refused.code).toBe("INSUFFICIENT_KYC")
      expect(refused.details).toMatchObject({ party: "payee", limit: "per_transaction" })
      expect(yield* codeOf(request(1_000_000_000_000))).toBe("INSUFFICIENT_KYC")
    }).pipe(inWorld),
  )

  it.effect("adds to one sum of the payee's UTC day, whatever names it is given", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(seller, "anonymous")
      const names = [undefined, victim, nobody, { agent_id: "another" }, undefined]
      const made = yield* Effect.forEach(names, (name) => request(1_000, name))
      yield* Effect.forEach([1, 2, 3, 4, 5], (n) => oneTime(1_000, { agent_id: `label-${n}` }))
      const full = yield* failureOf(request(1))
      expect(full.details).toMatchObject({ party: "payee", limit: "daily" })
      expect(yield* codeOf(ask(1))).toBe("INSUFFICIENT_KYC")
      expect(yield* codeOf(oneTime(1, nobody))).toBe("INSUFFICIENT_KYC")
      // The buyer's own payment to the same seller is within the buyer's limits.
      expect((yield* request(1_000, undefined, buyer)).status).toBe("pending")
      yield* voidIntent(as(seller), made[0]?.id ?? "")
      expect((yield* request(1_000)).status).toBe("pending")
      yield* TestClock.adjust("1 day")
      expect((yield* request(1_000)).status).toBe("pending")
    }).pipe(inWorld),
  )

  it.effect("never passes the day together with others, however many are made at once", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(seller, "anonymous")
      const codes = yield* Effect.forEach(
        Array.from({ length: 30 }),
        () => codeOf(request(1_000)),
        { concurrency: "unbounded" },
      )
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(10)
    }).pipe(inWorld),
  )

  it.effect("of another's service counts for the account that makes it, and not its payee", () =>
    Effect.gen(function* () {
      const service = yield* seed({ account_id: "acct_00000000-0000-7000-8000-00000000aaaa" })
      const store = yield* Store
      const payee = { ...seller, id: service.account_id, agent_id: "other-seller" }
      yield* store.commit({ writes: [{ op: "insert", kind: "account", record: payee }] })
      yield* putOn(seller, "anonymous")
      const made = yield* request(1_000)
      const stored = yield* store.find("payment_intent", made.id)
      expect([stored?.payer_account_id, stored?.payer.agent_id]).toEqual([
        seller.id,
        seller.agent_id,
      ])
    }).pipe(inWorld),
  )
})

describe("a payment that a paid endpoint asks for", () => {
  const demand = (value: number) =>
    openChallenge(as(seller), { service_id, amount: usd(value), resource: "/report" })

  it.effect("takes no place of its seller's day until it is captured", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* putOn(seller, "anonymous")
      const demands = yield* Effect.forEach(Array.from({ length: 12 }), () => demand(1_000))
      expect(yield* codeOf(demand(1_001))).toBe("INSUFFICIENT_KYC")
      const ids = demands.map(({ payment_intent }) => payment_intent.id)
      const taken = yield* Effect.forEach(ids, (id) =>
        Effect.gen(function* () {
          for (const trade_status of ["SCANNED", "AUTHORIZED"] as const) {
            const trade = { out_trade_no: id, trade_no: `trade-of-${id}`, total_amount: "10.00" }
            yield* deliver(callback({ ...trade, trade_status, payer_id: "h", wallet_id: "w" }))
          }
          return yield* codeOf(captureIntent(as(seller), id))
        }),
      )
      expect(taken.filter((code) => code === "succeeded")).toHaveLength(10)
      expect(taken.slice(10)).toEqual(["INSUFFICIENT_KYC", "INSUFFICIENT_KYC"])
      expect(yield* codeOf(request(1))).toBe("INSUFFICIENT_KYC")
    }).pipe(inWorld),
  )
})
