import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { challengeId, PROOF_LIFETIME, USED_KEPT } from "../../../core/challenges/Challenge.ts"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { LIMITS, reserve, spendingOf, toCents } from "../../../core/kyc/limits/Limits.ts"
import { spenderOf } from "../../../core/kyc/limits/payers.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { runDue as runAll } from "../../../core/work/runDue.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, stranger, walk, world } from "../../support/world.ts"

const amount = { currency: "USD", value: 699 }
const resource = "GET /reports/7"
const bound = { service_id: uuid(1), amount, resource }

const ask = Effect.fnUntraced(function* (said: object = {}) {
  yield* seed({ accepted_channels: ["wallet_a", "wallet_b"], default_channel: null })
  const { payment_intent } = yield* openChallenge(as(seller), { ...bound, ...said })
  const { id, token } = payment_intent
  const show = (other: object = {}, account = seller) =>
    redeemProof(as(account), id, { ...bound, token, ...other })
  return { id, token, shown: payment_intent, show }
})

const paid = Effect.fnUntraced(function* (said: object = {}) {
  const asked = yield* ask(said)
  yield* walk(asked.id, "SCANNED", "AUTHORIZED")
  return asked
})

/** Runs all due work; no one receives its events. */
const runDue = () =>
  Effect.provide(
    runAll(),
    Layer.merge(
      Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
      Layer.succeed(WebhookSender, { send: () => Effect.die(new Error("Nothing is sent.")) }),
    ),
  )

const plain = () => world(makeScript())

describe("a proof whose seller captures later", () => {
  const statusOf = (id: string) =>
    Effect.flatMap(Store, (store) =>
      Effect.map(store.find("payment_intent", id), (intent) => intent?.status),
    )

  it.effect("is used up, and the money stays where it is held, until when it says", () =>
    Effect.gen(function* () {
      const { id, show, shown } = yield* paid()
      const later = { capture: "later" }
      const accepted = yield* show(later)
      expect(accepted).toMatchObject({ capture_before: shown.expires_at, repeated: false })
      for (const said of [later, {}]) {
        expect(yield* codeOf(show(said))).toBe("PAYMENT_PROOF_USED")
        expect(yield* statusOf(id)).toBe("authorized")
      }
    }).pipe(Effect.provide(plain())),
  )

  it.effect("opens in its time what is held, and nothing once its seller has voided it", () =>
    Effect.gen(function* () {
      const { id, show } = yield* paid({ valid_seconds: 600 })
      const later = { capture: "later" }
      const first = yield* show(later)
      expect(yield* show(later)).toEqual(first)
      expect(yield* statusOf(id)).toBe("authorized")
      yield* voidIntent(as(seller), id)
      expect(yield* codeOf(show(later))).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("has no deadline where the money was taken", () =>
    Effect.gen(function* () {
      const { show } = yield* paid()
      expect(yield* show()).toMatchObject({ capture_before: null })
    }).pipe(Effect.provide(plain())),
  )
})

describe("a challenge", () => {
  it.effect("is an ordinary payment on one channel, for nobody in particular", () =>
    Effect.gen(function* () {
      const { id, shown, token } = yield* ask()
      expect(shown).toMatchObject({ channel: "wallet_a", amount })
      expect(shown.qr_uri).toBe(`svc://pay/${id}?channel=wallet_a`)
      expect(token).toMatch(/^[\w-]{43}$/)
      const store = yield* Store
      const intent = yield* store.find("payment_intent", id)
      expect(intent).toMatchObject({
        status: "qr_generated",
        // Counted against its payee's day when it is captured.
        spending: { cents: 699, counters: [] },
        payer_account_id: null,
      })
      expect(intent?.offers).toHaveLength(1)
      const kept = yield* store.find("challenge", challengeId(id))
      const events = yield* store.list("event", { by: { account_id: seller.id }, limit: 50 })
      expect(kept).toMatchObject({ payment_intent: id, resource, redeemed_at: null })
      expect(JSON.stringify([kept, intent, events])).not.toContain(token)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is asked for by the service's seller alone", () =>
    Effect.gen(function* () {
      yield* seed()
      for (const other of [buyer, stranger]) {
        expect(yield* codeOf(openChallenge(as(other), bound))).toBe("FORBIDDEN")
      }
    }).pipe(Effect.provide(plain())),
  )

  it.effect("asks for no money that its seller's day has no room for", () =>
    Effect.gen(function* () {
      yield* seed()
      const payee = yield* spenderOf(seller.id, seller.agent_id, "payee")
      const most = toCents(LIMITS[payee.level].daily)
      const now = yield* Clock.currentTimeMillis
      const take = (cents: number) =>
        Effect.flatMap(Store, ({ commit }) => {
          const reservations = reserve(LIMITS, payee.level, spendingOf(payee, cents, now))
          return commit({ writes: [], reservations })
        })
      yield* take(most - amount.value)
      expect((yield* openChallenge(as(seller), bound)).payment_intent).toMatchObject({ amount })
      yield* take(1)
      expect(yield* codeOf(openChallenge(as(seller), bound))).toBe("INSUFFICIENT_KYC")
      expect(yield* (yield* Store).listIntents({ viewer: seller.id, limit: 9, now })).toHaveLength(
        1,
      )
    }).pipe(Effect.provide(plain())),
  )

  it.effect("that the channel makes no code for leaves nothing behind", () => {
    const script = makeScript()
    script.refuse = () => "generation_failed"
    return Effect.gen(function* () {
      yield* seed()
      expect(yield* codeOf(openChallenge(as(seller), bound))).toBe("CHANNEL_ERROR")
      const list = { viewer: seller.id, limit: 9, now: 0 }
      expect(yield* (yield* Store).listIntents(list)).toEqual([])
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a proof", () => {
  it.effect.each<[string, object, typeof seller, string]>([
    ["another token", { token: "x".repeat(43) }, seller, "PAYMENT_PROOF_INVALID"],
    ["another service", { service_id: uuid(2) }, seller, "PAYMENT_PROOF_INVALID"],
    ["another amount", { amount: { ...amount, value: 698 } }, seller, "PAYMENT_PROOF_INVALID"],
    ["another resource", { resource: "GET /reports/8" }, seller, "PAYMENT_PROOF_INVALID"],
    ["another seller", {}, stranger, "PAYMENT_PROOF_INVALID"],
    ["its buyer", {}, buyer, "PAYMENT_PROOF_INVALID"],
    ["what it is for", {}, seller, "succeeded"],
  ])("shown by or for %s", ([, other, account, code]) =>
    Effect.gen(function* () {
      const { id, show } = yield* paid()
      expect(yield* codeOf(show(other, account))).toBe(code)
      const intent = yield* (yield* Store).find("payment_intent", id)
      expect(intent?.status).toBe(code === "succeeded" ? "captured" : "authorized")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("of a payment without a challenge is none", () =>
    Effect.gen(function* () {
      const { token } = yield* ask()
      const other = { type: "one_time", description: "Other", payer_channel: "wallet_a" } as const
      const { id } = yield* createIntent(as(seller), { service_id: uuid(1), amount, ...other })
      for (const name of [id, `pi_${uuid(99)}`, "pi_1", ""]) {
        const code = yield* codeOf(redeemProof(as(seller), name, { ...bound, token }))
        expect(code, name).toBe("PAYMENT_PROOF_INVALID")
      }
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is accepted once, and captures the payment", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id, show } = yield* paid()
      expect(yield* show()).toMatchObject({ payment_intent: id, resource, valid_until: null })
      expect(script.calls.map(({ action }) => action)).toEqual(["capture"])
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_USED")
      yield* walk(id, "SUCCESS")
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that 50 show at once lets one in", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { show } = yield* paid()
      const codes = yield* Effect.all(
        Array.from({ length: 50 }, () => codeOf(show())),
        { concurrency: "unbounded" },
      ).pipe(Effect.race(Effect.andThen(TestClock.adjust("10 seconds"), Effect.never)))
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(1)
      expect(codes.filter((code) => code === "PAYMENT_PROOF_USED")).toHaveLength(49)
      expect(script.calls).toHaveLength(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("with a time is accepted until it is over", () =>
    Effect.gen(function* () {
      const { show } = yield* paid({ valid_seconds: 60 })
      const first = yield* show()
      expect(first.valid_until).toBe("2026-01-01T00:01:00.000Z")
      yield* TestClock.adjust("59 seconds")
      expect(yield* show()).toEqual(first)
      yield* TestClock.adjust("1 second")
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("of a payment that was given back opens nothing any more", () =>
    Effect.gen(function* () {
      const timed = yield* paid({ valid_seconds: 60 })
      yield* timed.show()
      yield* createRefund(as(seller), { payment_intent: timed.id })
      expect(yield* codeOf(timed.show())).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )
})

describe("a payment that is not made", () => {
  it.effect("opens nothing while it can be made, nor once it has ended", () =>
    Effect.gen(function* () {
      const { id, show } = yield* ask()
      expect(yield* codeOf(show())).toBe("PAYMENT_REQUIRED")
      yield* walk(id, "SCANNED")
      expect(yield* Effect.flip(show())).toMatchObject({ details: { status: "scanning" } })
      yield* voidIntent(as(seller), id)
      expect(yield* Effect.flip(show())).toMatchObject({
        code: "PAYMENT_REQUIRED",
        details: { payment_intent: id, status: "voided" },
      })
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is expired at its time, also when it was authorized", () =>
    Effect.gen(function* () {
      const { show } = yield* paid()
      yield* TestClock.adjust("15 minutes")
      expect(yield* Effect.flip(show())).toMatchObject({ details: { status: "expired" } })
    }).pipe(Effect.provide(plain())),
  )

  it.effect("of which nobody knows is neither taken again nor asked for again", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "lost" })
    return Effect.gen(function* () {
      const { id, show } = yield* paid()
      const unresolved = { code: "PAYMENT_UNRESOLVED", retry_after: 2 }
      expect(yield* Effect.flip(show())).toMatchObject(unresolved)
      const again = Effect.flip(show()).pipe(
        Effect.race(Effect.andThen(TestClock.adjust("7 seconds"), Effect.never)),
      )
      expect(yield* again).toMatchObject(unresolved)
      expect(script.calls).toHaveLength(1)
      script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
      yield* TestClock.adjust("1 minute")
      yield* runDue()
      expect(yield* show()).toMatchObject({ payment_intent: id })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("and that the channel refuses to capture is not asked for again either", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "refused", message: "try later" })
    return Effect.gen(function* () {
      const { show } = yield* paid()
      expect(yield* codeOf(show())).toBe("PAYMENT_UNRESOLVED")
      script.answer = makeScript().answer
      expect(yield* codeOf(show())).toBe("succeeded")
    }).pipe(Effect.provide(world(script)))
  })
})

describe("what is kept", () => {
  const left = Effect.fnUntraced(function* (id: string) {
    return yield* (yield* Store).find("challenge", challengeId(id))
  })

  it.effect("an unpaid challenge goes once its payment is over; the payment stays", () =>
    Effect.gen(function* () {
      const { id, show } = yield* ask()
      yield* TestClock.adjust("76 minutes")
      yield* runDue()
      expect(yield* left(id)).toBeUndefined()
      expect(yield* (yield* Store).find("payment_intent", id)).toMatchObject({ status: "expired" })
      expect(yield* codeOf(show())).toBe("PAYMENT_PROOF_INVALID")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("a paid one stays good for a season, a used one is remembered for a month", () =>
    Effect.gen(function* () {
      const { id, show } = yield* paid()
      const kept = yield* left(id)
      yield* walk(id, "SUCCESS")
      yield* show()
      yield* TestClock.setTime(T0 + USED_KEPT - 1)
      yield* runDue()
      expect(yield* left(id)).toMatchObject({ redeemed_at: T0 })
      yield* TestClock.adjust("1 second")
      yield* runDue()
      expect(yield* left(id)).toBeUndefined()
      expect(kept?.redeemed_at).toBeNull()
    }).pipe(Effect.provide(plain())),
  )

  it.effect("a paid one that nobody has shown goes after its lifetime", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "lost" })
    script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
    return Effect.gen(function* () {
      const { id, show } = yield* paid()
      expect(yield* codeOf(show())).toBe("PAYMENT_UNRESOLVED")
      yield* TestClock.adjust("80 minutes")
      yield* runDue()
      yield* TestClock.setTime(T0 + PROOF_LIFETIME - 1)
      yield* runDue()
      expect(yield* left(id)).toMatchObject({ redeemed_at: null })
      yield* TestClock.adjust("1 second")
      yield* runDue()
      expect(yield* left(id)).toBeUndefined()
    }).pipe(Effect.provide(world(script)))
  })
})
