import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { failureOf } from "../../../adapters/shared/failureOf.ts"
import {
  answerOnce,
  type KeyedRequest,
  newProcessKeys,
  CurrentProcessKeys,
} from "../../../core/idempotency/answerOnce.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { listIntents } from "../../../core/payments/listIntents.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { Unsealable, Vault } from "../../../core/ports/Vault.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, walk, world } from "../../support/world.ts"

const keyed = (said: Partial<KeyedRequest> = {}): KeyedRequest => ({
  account_id: buyer.id,
  key: "key-1",
  request: "POST /v1/payment-intents {}",
  render: (view) => JSON.stringify(view),
  renderFailure: ({ code }) => `refused ${code}`,
  optimistic: true,
  ...said,
})

const create = createIntent(as(buyer), {
  service_id: aService({ n: 1 }).id,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
})

const count = Effect.map(listIntents(as(buyer), { limit: 20 }), ({ data }) => data.length)

describe.each([true, false])("one key, looked up before the verb: %s", (looksUp) => {
  const said = { optimistic: !looksUp }

  it.effect("the same request is answered again with the same text, and done once", () =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* answerOnce(keyed(said), create)
      const second = yield* answerOnce(keyed(said), create)
      expect(first.replayed).toBe(false)
      expect(second).toEqual({ text: first.text, replayed: true })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("an answer whose key is gone is not given, and its request is not done again", () =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* answerOnce(keyed(said), create)
      const vault = yield* Vault
      const lost = { ...vault, open: (place: string) => Effect.fail(new Unsealable({ place })) }
      const retry = Effect.provideService(answerOnce(keyed(said), create), Vault, lost)
      const exit = yield* Effect.exit(retry)
      const told = Exit.isFailure(exit) ? failureOf(exit.cause) : undefined
      expect(told).toMatchObject({ code: "OUTCOME_UNKNOWN", retry_after: 5 })
      expect(told?.message).toContain("was answered, but the stored answer cannot be read")
      expect(yield* count).toBe(1)
      expect(yield* answerOnce(keyed(said), create)).toEqual({ text: first.text, replayed: true })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("another request under the key is refused and does nothing", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* answerOnce(keyed(said), create)
      const other = keyed({ ...said, request: "POST /v1/payment-intents {other}" })
      expect(yield* codeOf(answerOnce(other, create))).toBe("IDEMPOTENCY_KEY_USED")
      const invalid = Effect.fail(new Failure({ code: "NOT_FOUND", message: "" }))
      expect(yield* codeOf(answerOnce(other, invalid))).toBe("IDEMPOTENCY_KEY_USED")
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("a repetition while the first still runs is told to wait", () =>
    Effect.gen(function* () {
      yield* seed()
      const gate = yield* Deferred.make<void>()
      const slow = Effect.andThen(Deferred.await(gate), create)
      const first = yield* Effect.forkChild(answerOnce(keyed(said), slow))
      yield* Effect.yieldNow
      expect(yield* codeOf(answerOnce(keyed(said), create))).toBe("IDEMPOTENCY_KEY_IN_PROGRESS")
      yield* Deferred.succeed(gate, undefined)
      const { text } = yield* Fiber.join(first)
      expect(yield* answerOnce(keyed(said), create)).toEqual({ text, replayed: true })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("the key of one account is another account's to use", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* answerOnce(keyed(said), create)
      const theirs = keyed({ ...said, account_id: seller.id })
      expect((yield* answerOnce(theirs, create)).replayed).toBe(false)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is free again earlier where the answer is kept for less than a day", () =>
    Effect.gen(function* () {
      yield* seed()
      const brief = keyed({ ...said, kept_for: 60_000 })
      yield* answerOnce(brief, create)
      yield* TestClock.setTime(T0 + 59_999)
      expect((yield* answerOnce(brief, create)).replayed).toBe(true)
      yield* TestClock.setTime(T0 + 60_000)
      expect((yield* answerOnce(brief, create)).replayed).toBe(false)
      expect(yield* count).toBe(2)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is free again after a day", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* answerOnce(keyed(said), create)
      yield* TestClock.setTime(T0 + DAY - 1)
      expect((yield* answerOnce(keyed(said), create)).replayed).toBe(true)
      yield* TestClock.setTime(T0 + DAY)
      expect((yield* answerOnce(keyed(said), create)).replayed).toBe(false)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("a refusal that is kept is answered again; one that is not leaves the key free", () =>
    Effect.gen(function* () {
      yield* seed()
      const kept = Effect.fail(new Failure({ code: "SERVICE_NOT_ACTIVE", message: "" }))
      expect(yield* codeOf(answerOnce(keyed(said), kept))).toBe("SERVICE_NOT_ACTIVE")
      expect(yield* answerOnce(keyed(said), create)).toEqual({
        text: "refused SERVICE_NOT_ACTIVE",
        replayed: true,
      })
      const free = keyed({ ...said, key: "key-2" })
      const passing = Effect.fail(new Failure({ code: "NOT_FOUND", message: "" }))
      expect(yield* codeOf(answerOnce(free, passing))).toBe("NOT_FOUND")
      expect((yield* answerOnce(free, create)).replayed).toBe(false)
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("a verb that calls a channel between two commits", () => {
  const capture = (key = "capture-1") => keyed({ account_id: seller.id, key, optimistic: false })

  const authorized = Effect.gen(function* () {
    yield* seed()
    const { id } = yield* create
    yield* walk(id, "AUTHORIZED")
    return id
  })

  it.effect("holds its key while the channel is asked, and answers with the outcome", () => {
    const script = makeScript()
    script.answer = () =>
      Effect.as(Effect.sleep("1 second"), { type: "done", at: T0, trade_no: "trade-1" } as const)
    return Effect.gen(function* () {
      const id = yield* authorized
      const first = yield* Effect.forkChild(answerOnce(capture(), captureIntent(as(seller), id)))
      yield* TestClock.adjust(1_000)
      const { text } = yield* Fiber.join(first)
      expect(JSON.parse(text)).toMatchObject({ status: "captured" })
      expect(yield* answerOnce(capture(), captureIntent(as(seller), id))).toEqual({
        text,
        replayed: true,
      })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect(
    "after a crash between them, a retry waits for the lease and finishes the first",
    () => {
      const script = makeScript()
      script.answer = () => Effect.die("the process ends here")
      return Effect.gen(function* () {
        const id = yield* authorized
        yield* Effect.exit(answerOnce(capture(), captureIntent(as(seller), id)))
        expect(yield* codeOf(answerOnce(capture(), captureIntent(as(seller), id)))).toBe(
          "IDEMPOTENCY_KEY_IN_PROGRESS",
        )
        yield* TestClock.adjust("31 seconds")
        const retry = yield* Effect.forkChild(answerOnce(capture(), captureIntent(as(seller), id)))
        yield* TestClock.adjust("10 seconds")
        const { text } = yield* Fiber.join(retry)
        expect(JSON.parse(text)).toMatchObject({ status: "authorized" })
        expect(script.calls.length).toBe(1)
      }).pipe(Effect.provide(world(script)))
    },
  )

  it.effect.each([
    { outcome: "not_stored", waits: false },
    { outcome: "unknown", waits: true },
  ] as const)(
    "where the store then takes nothing more ($outcome), a retry waits: $waits",
    (row) => {
      const script = makeScript()
      return Effect.gen(function* () {
        const id = yield* authorized
        const store = yield* Store
        const fails = new StoreUnavailable({ outcome: row.outcome, cause: "full" })
        const commit: typeof store.commit = (commit) =>
          script.calls.length > 0 ? Effect.fail(fails) : store.commit(commit)
        const capturing = answerOnce(capture(), captureIntent(as(seller), id))
        const cut = Effect.provideService(capturing, Store, { ...store, commit })
        expect(yield* Effect.flip(cut)).toBe(fails)
        const elsewhere = Effect.provideService(capturing, CurrentProcessKeys, newProcessKeys())
        expect(yield* codeOf(elsewhere)).toBe("IDEMPOTENCY_KEY_IN_PROGRESS")
        if (row.waits) {
          expect(yield* codeOf(capturing)).toBe("IDEMPOTENCY_KEY_IN_PROGRESS")
          return
        }
        const retry = yield* Effect.forkChild(capturing)
        yield* TestClock.adjust("10 seconds")
        expect(JSON.parse((yield* Fiber.join(retry)).text)).toMatchObject({ id })
        expect(script.calls.length).toBe(1)
      }).pipe(
        Effect.provide(world(script)),
        Effect.provideService(CurrentProcessKeys, newProcessKeys()),
      )
    },
  )

  it.effect("is not begun once more by a request that stood still after its look-up", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* authorized
      yield* captureIntent(as(seller), id)
      const refund = { payment_intent: id, amount: { currency: "USD", value: 100 } } as const
      const refunding = answerOnce(capture("refund-1"), createRefund(as(seller), refund))
      const store = yield* Store
      const [hasLooked, goesOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const stands = Effect.andThen(Deferred.succeed(hasLooked, undefined), Deferred.await(goesOn))
      const slow = yield* refunding.pipe(
        Effect.provideService(Store, {
          ...store,
          findReply: (account, key) => Effect.tap(store.findReply(account, key), () => stands),
        }),
        Effect.provideService(CurrentProcessKeys, newProcessKeys()),
        Effect.forkChild,
      )
      yield* Deferred.await(hasLooked)
      const { answer } = script
      script.answer = () => Effect.die("the process ends here")
      yield* Effect.exit(refunding)
      script.answer = answer
      yield* TestClock.adjust("31 seconds")
      yield* Deferred.succeed(goesOn, undefined)
      expect(yield* codeOf(Fiber.join(slow))).toBe("IDEMPOTENCY_KEY_IN_PROGRESS")
      const { text } = yield* refunding
      const all = yield* store.list("refund", { by: { payment_intent: id }, limit: 9 })
      expect(all.map((made) => made.id)).toEqual([(JSON.parse(text) as { id: string }).id])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("does not keep an answer whose outcome is unknown", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "timeout" })
    return Effect.gen(function* () {
      const id = yield* authorized
      const { text } = yield* answerOnce(capture(), captureIntent(as(seller), id))
      expect(JSON.parse(text)).toMatchObject({ channel_outcome: "unknown" })
      yield* walk(id, "SUCCESS")
      const later = yield* answerOnce(capture(), captureIntent(as(seller), id))
      expect(later.replayed).toBe(false)
      expect(JSON.parse(later.text)).toMatchObject({ status: "succeeded" })
    }).pipe(Effect.provide(world(script)))
  })
})
