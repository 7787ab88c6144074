import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { listIntents as list, type ListIntentsQuery } from "../../../core/payments/listIntents.ts"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import { Store } from "../../../core/ports/Store.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import {
  as,
  buyer,
  callback,
  codeOf,
  deliver,
  seed,
  seller,
  stranger,
  walk,
  world,
} from "../../support/world.ts"

const service = aService({ n: 1 })
const input = {
  service_id: service.id,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
  payer_channel: "wallet_a",
} as const

const listIntents = (caller: Parameters<typeof list>[0], query: Partial<ListIntentsQuery>) =>
  list(caller, { limit: 20, ...query })

const create = (said: object = {}) => createIntent(as(buyer), { ...input, ...said })

/** Returns the channel requests that a worker claims now. */
const requests = Effect.gen(function* () {
  const store = yield* Store
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  return yield* store.claimDue("channel_request", now, { limit: 10, lease: 1_000 })
})

describe("creating a Request Payment", () => {
  const script = makeScript()
  it.effect("answers pending with the QR code, and stores it as generated", () =>
    Effect.gen(function* () {
      yield* seed()
      const made = yield* create({ metadata: { order: 1 } })
      expect(made).toMatchObject({
        status: "pending",
        amount: { currency: "USD", value: 699 },
        settlement: { currency: "USD", value: 699, rate: 1 },
        payer: { agent_id: "buyer-agent", human_id: null },
        payee: { agent_id: seller.agent_id },
        channel: "wallet_a",
        metadata: { order: 1 },
        created_at: toIso(T0),
        expires_at: toIso(T0 + 15 * 60_000),
        qr: { scan_url: `https://pay.test/pay/${made.id}` },
      })
      expect(made.qr?.charge_id).toMatch(/^qr_/)
      expect(made.qr?.qr_data).toBe(`svc://pay/${made.id}?channel=wallet_a`)
      expect(yield* getIntent(as(buyer), made.id)).toEqual({ ...made, status: "qr_generated" })
      expect(yield* getIntent(as(seller), made.id)).toMatchObject({ status: "qr_generated" })
      expect(yield* codeOf(getIntent(as(stranger), made.id))).toBe("NOT_FOUND")
    }).pipe(Effect.provide(world(script))),
  )

  it.effect("offers every usable channel when nothing decides for one", () =>
    Effect.gen(function* () {
      yield* seed({ accepted_channels: ["wallet_a", "wallet_b"], default_channel: null })
      const made = yield* createIntent(as(buyer), { ...input, payer_channel: "auto" })
      expect(made.channel).toBeNull()
      expect(made.qr).toBeNull()
      expect(made.channels?.map(({ channel }) => channel)).toEqual(["wallet_a", "wallet_b"])
      expect(made.payer_prompt).toBeTypeOf("string")
      expect(made).not.toHaveProperty("fees")
      expect(yield* getIntent(as(seller), made.id)).toMatchObject({ fees: null })

      yield* walk(made.id, "SCANNED")
      const scanned = yield* getIntent(as(buyer), made.id)
      expect(scanned).toMatchObject({ status: "scanning", channel: "wallet_a" })
      expect(scanned.channels).toBeUndefined()
      expect(scanned).not.toHaveProperty("fees")
      expect(yield* getIntent(as(seller), made.id)).toMatchObject({
        fees: {
          service: { currency: "USD", value: 3 },
          fx_spread: { currency: "USD", value: 0 },
          channel: { currency: "USD", value: 4 },
          total: { currency: "USD", value: 7 },
        },
      })
      expect(yield* requests).toMatchObject([{ action: "close", channel: "wallet_b" }])

      yield* deliver(
        callback({
          out_trade_no: made.id,
          channel: "wallet_b",
          trade_status: "AUTHORIZED",
          trade_no: "late",
        }),
      )
      expect(yield* requests).toMatchObject([{ action: "release", channel: "wallet_b" }])
      expect(yield* getIntent(as(buyer), made.id)).toEqual(scanned)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  const cases: ReadonlyArray<readonly [string, object, object, string]> = [
    ["an unknown service", {}, { service_id: "no" }, "NOT_FOUND"],
    ["somebody's paused service", { status: "paused" }, {}, "NOT_FOUND"],
    ["a deprecated service", { status: "deprecated" }, {}, "SERVICE_NOT_ACTIVE"],
    ["somebody's draft", { status: "draft" }, {}, "NOT_FOUND"],
    ["no currency at all", {}, { amount: { currency: "XXQ", value: 1 } }, "INVALID_AMOUNT"],
    ["a currency of no channel", {}, { amount: { currency: "THB", value: 1 } }, "INVALID_AMOUNT"],
    ["a channel that is not accepted", {}, { payer_channel: "wallet_e" }, "CHANNEL_UNAVAILABLE"],
    ["a channel of no catalog", {}, { payer_channel: "cash" }, "CHANNEL_UNAVAILABLE"],
    ["too much metadata", {}, { metadata: { a: "é".repeat(2_045) } }, "INVALID_METADATA"],
  ]
  it.effect.each(cases)("refuses %s", ([, manifest, said, code]) =>
    Effect.gen(function* () {
      yield* seed(manifest)
      expect(yield* codeOf(create(said))).toBe(code)
      expect((yield* listIntents(as(buyer), {})).data).toEqual([])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is paid by the buyer's own agent, whatever those of other accounts are called", () =>
    Effect.gen(function* () {
      yield* seed()
      const made = yield* create({ payer: { agent_id: "stranger-agent" } })
      expect(made.payer.agent_id).toBe("stranger-agent")
      expect((yield* listIntents(as(buyer), {})).data).toHaveLength(1)
      expect((yield* listIntents(as(stranger), {})).data).toEqual([])
      expect(yield* codeOf(getIntent(as(stranger), made.id))).toBe("NOT_FOUND")
      // The own agent is unverified, so it has the same level.
      const amount = { currency: "USD", value: 1_001 }
      const more = create({ payer: { agent_id: "stranger-agent" }, amount })
      expect(yield* codeOf(more)).toBe("INSUFFICIENT_KYC")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("keeps 4,096 bytes of metadata", () =>
    Effect.gen(function* () {
      yield* seed()
      const metadata = { a: "é".repeat(2_044) }
      expect(new TextEncoder().encode(JSON.stringify(metadata)).length).toBe(4_096)
      expect((yield* create({ metadata })).metadata).toEqual(metadata)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("goes around a channel that is down, by the service's fallback", () =>
    Effect.gen(function* () {
      const script = makeScript()
      script.refuse = (charge) => (charge.channel === "wallet_a" ? "down" : undefined)
      const made = yield* Effect.provide(
        Effect.andThen(
          seed({ accepted_channels: ["wallet_a", "wallet_b"], fallback_channel: "wallet_b" }),
          create(),
        ),
        world(script),
      )
      expect(made).toMatchObject({ status: "pending", channel: "wallet_b" })
    }),
  )

  it.effect.each([
    ["rate_limited", "CHANNEL_TEMPORARILY_UNAVAILABLE"],
    ["down", "CHANNEL_TEMPORARILY_UNAVAILABLE"],
    ["credentials", "CHANNEL_CONFIGURATION_ERROR"],
  ] as const)("without a fallback, a channel that answers %s refuses", ([reason, code]) =>
    Effect.gen(function* () {
      const script = makeScript()
      script.refuse = () => reason
      expect(yield* Effect.provide(Effect.andThen(seed(), codeOf(create())), world(script))).toBe(
        code,
      )
    }),
  )

  it.effect("shows a code that could not be made as failed, with its event", () =>
    Effect.gen(function* () {
      const script = makeScript()
      script.refuse = () => "generation_failed"
      yield* Effect.gen(function* () {
        yield* seed()
        const made = yield* create()
        expect(made).toMatchObject({ status: "failed", failure_code: "QR_GENERATION_FAILED" })
        const events = yield* (yield* Store).claimDue("event", T0, { limit: 9, lease: 1 })
        expect(events.map(({ account_id, type }) => [type, account_id])).toEqual([
          ["payment_intent.failed", seller.id],
          ["payment_intent.failed", buyer.id],
        ])
      }).pipe(Effect.provide(world(script)))
    }),
  )
})

describe("the life of a Request Payment", () => {
  it.effect("goes from its scan to its settlement", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* TestClock.adjust(1_000)
      yield* walk(id, "SCANNED")
      yield* TestClock.adjust(1_000)
      yield* walk(id, "AUTHORIZED")
      const authorized = yield* getIntent(as(buyer), id)
      expect(authorized).toMatchObject({
        status: "authorized",
        scanned_at: toIso(T0 + 1_000),
        authorized_at: toIso(T0 + 2_000),
        payer: { agent_id: "buyer-agent", human_id: "hum-1", wallet_id: "wal-1" },
      })
      yield* TestClock.adjust(1_000)
      const captured = yield* captureIntent(as(seller), id)
      expect(captured).toMatchObject({ status: "captured", captured_at: toIso(T0 + 3_000) })
      expect(yield* captureIntent(as(seller), id)).toEqual(captured)
      expect(script.calls.map(({ action, trade_no }) => [action, trade_no])).toEqual([
        ["capture", "trade-1"],
      ])
      yield* walk(id, "SUCCESS", "SUCCESS", "SCANNED", "CLOSED")
      const succeeded = yield* getIntent(as(seller), id)
      expect(succeeded).toMatchObject({ status: "succeeded", channel_txn_id: "trade-1" })
      const events = yield* (yield* Store).claimDue("event", T0 + 9_000, { limit: 9, lease: 1 })
      expect(events.map(({ type, account_id }) => [type, account_id])).toEqual([
        ["payment_intent.succeeded", seller.id],
        ["payment_intent.succeeded", buyer.id],
      ])
      expect(yield* captureIntent(as(seller), id)).toEqual(succeeded)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("walks the states that a callback skips", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* TestClock.adjust(5_000)
      yield* walk(id, "AUTHORIZED")
      expect(yield* getIntent(as(buyer), id)).toMatchObject({
        scanned_at: toIso(T0 + 5_000),
        authorized_at: toIso(T0 + 5_000),
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("asks the channel who paid when its callback does not say", () => {
    const script = makeScript()
    script.payer = { payer_id: "hum-9", wallet_id: "wal-9" }
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* deliver(callback({ out_trade_no: id, trade_status: "AUTHORIZED" }))
      expect((yield* getIntent(as(buyer), id)).payer).toMatchObject({
        human_id: "hum-9",
        wallet_id: "wal-9",
      })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect(
    "shows as expired at the very millisecond, worker or not, and gives late money back",
    () =>
      Effect.gen(function* () {
        yield* seed()
        const { id } = yield* create()
        const { id: other } = yield* create()
        const stored = (found: string) =>
          Effect.flatMap(Store, (store) =>
            Effect.map(store.find("payment_intent", found), (intent) => intent?.status),
          )
        yield* TestClock.setTime(T0 + 15 * 60_000 - 1)
        expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "qr_generated" })
        yield* TestClock.adjust(1)
        expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "expired" })
        expect(yield* stored(id)).toBe("qr_generated")
        // A refusal that rests on the end makes it final for everybody.
        expect(yield* codeOf(voidIntent(as(buyer), id))).toBe("INVALID_TRANSITION")
        expect(yield* stored(id)).toBe("expired")
        yield* walk(id, "AUTHORIZED", "AUTHORIZED")
        expect(yield* requests).toMatchObject([{ action: "release", trade_no: "trade-1" }])
        const due = yield* (yield* Store).claimDue("payment_intent", T0 + 15 * 60_000, {
          limit: 9,
          lease: 1,
        })
        expect(due).toMatchObject([{ id: other }])
        yield* Effect.forEach(due, expireIntent)
        expect(yield* stored(other)).toBe("expired")
        const events = yield* (yield* Store).claimDue("event", T0 + 15 * 60_000, {
          limit: 9,
          lease: 1,
        })
        const told = events.filter(({ account_id }) => account_id === seller.id)
        expect(told.map(({ subject_id, type }) => [subject_id, type])).toEqual([
          [id, "payment_intent.expired"],
          [other, "payment_intent.expired"],
        ])
      }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("ending a Request Payment", () => {
  it.effect("a void releases what was authorized, closes what was not, and repeats itself", () =>
    Effect.gen(function* () {
      yield* seed()
      const held = yield* create()
      yield* walk(held.id, "AUTHORIZED")
      const voided = yield* voidIntent(as(buyer), held.id)
      expect(voided.status).toBe("voided")
      expect(yield* voidIntent(as(seller), held.id)).toMatchObject(voided)
      expect(yield* codeOf(cancelIntent(as(seller), held.id))).toBe("INVALID_TRANSITION")
      expect(yield* requests).toMatchObject([{ action: "release" }])
      const open = yield* create()
      yield* cancelIntent(as(seller), open.id)
      expect(yield* requests).toMatchObject([{ action: "close" }])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("only the payee cancels and captures; strangers see nothing to end", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      expect(yield* codeOf(cancelIntent(as(buyer), id))).toBe("FORBIDDEN")
      expect(yield* codeOf(captureIntent(as(buyer), id))).toBe("FORBIDDEN")
      expect(yield* codeOf(voidIntent(as(stranger), id))).toBe("NOT_FOUND")
      expect(yield* codeOf(captureIntent(as(stranger), id))).toBe("NOT_FOUND")
      expect(yield* codeOf(captureIntent(as(seller), id))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("a capture", () => {
  it.effect("is made once by fifty callers", () => {
    const script = makeScript()
    script.answer = () =>
      Effect.as(Effect.sleep("1 second"), { type: "done", at: T0, trade_no: "trade-1" } as const)
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => captureIntent(as(seller), id)),
          {
            concurrency: "unbounded",
          },
        ),
      )
      yield* TestClock.adjust(1_100)
      const answers = yield* Fiber.join(all)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["captured"]))
      expect(script.calls.length).toBe(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("with an unknown outcome is asked after under its number, never made twice", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "timeout" })
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      const shown = yield* captureIntent(as(seller), id)
      expect(shown).toMatchObject({ status: "authorized", channel_outcome: "unknown" })
      expect(yield* codeOf(voidIntent(as(buyer), id))).toBe("INVALID_TRANSITION")
      yield* TestClock.adjust(16 * 60_000)
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "authorized" })
      script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
      for (const request of yield* requests) yield* resolveChannelRequest(request)
      expect(script.questions.map(({ number }) => number)).toEqual(
        script.calls.map(({ number }) => number),
      )
      const captured = yield* getIntent(as(buyer), id)
      expect(captured).toMatchObject({ status: "captured" })
      expect(captured.channel_outcome).toBeUndefined()
      expect(yield* requests).toEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is known within an hour of the return of a channel that was away for a day", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "timeout" })
    script.asked = () => Effect.succeed({ type: "unknown", message: "timeout" })
    const work = Effect.flatMap(requests, (due) => Effect.forEach(due, resolveChannelRequest))
    const workFor = (minutes: number) =>
      Effect.forEach(Array.from({ length: minutes }), () =>
        Effect.andThen(TestClock.adjust(60_000), work),
      )
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      yield* workFor(24 * 60)
      script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
      yield* workFor(60)
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "captured" })
      expect(script.calls.length).toBe(1)
      expect(script.questions.length).toBeLessThan(40)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("whose call was lost is made again once the channel would have heard of it", () => {
    const script = makeScript()
    const { answer } = script
    script.answer = () => Effect.succeed({ type: "unknown", message: "connection lost" })
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      script.answer = answer
      for (let second = 1; second <= 60; second++) {
        expect(script.calls).toHaveLength(1)
        yield* TestClock.adjust(1_000)
        for (const request of yield* requests) yield* resolveChannelRequest(request)
      }
      expect(script.calls.map(({ number }) => number)).toEqual(
        [0, 1].map(() => script.calls[0]?.number),
      )
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "captured" })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that the channel refuses leaves the payment authorized", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "refused", message: "no such hold" })
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      expect(yield* codeOf(captureIntent(as(seller), id))).toBe("CHANNEL_ERROR")
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "authorized" })
      yield* voidIntent(as(buyer), id)
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a callback that cannot be true", () => {
  it.effect.each([
    ["another amount", { total_amount: "6.98" }, "AMOUNT_MISMATCH"],
    ["a finer amount", { total_amount: "6.991" }, "AMOUNT_MISMATCH"],
    ["another currency", { currency: "EUR" }, "AMOUNT_MISMATCH"],
    ["another channel", { channel: "wallet_b" }, "CHANNEL_MISMATCH"],
    ["another payment's trade number", { trade_no: "taken" }, "CHANNEL_MISMATCH"],
    ["no payment of ours", { out_trade_no: "pi_nobody" }, "NOT_FOUND"],
  ] as const)("by %s is refused and moves nothing", ([, said, code]) =>
    Effect.gen(function* () {
      yield* seed()
      const other = yield* create()
      yield* deliver(
        callback({
          out_trade_no: other.id,
          trade_no: "taken",
          trade_status: "AUTHORIZED",
        }),
      )
      const { id } = yield* create()
      const before = yield* getIntent(as(buyer), id)
      const message = callback({ out_trade_no: id, trade_status: "AUTHORIZED", ...said })
      expect(yield* codeOf(deliver(message))).toBe(code)
      expect(yield* codeOf(deliver(message))).toBe(code)
      expect(yield* getIntent(as(buyer), id)).toEqual(before)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("by its signature is refused", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      expect(yield* codeOf(deliver(callback({ out_trade_no: id }), "forged"))).toBe(
        "webhook_signature_invalid",
      )
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("money that nobody captured is noted, and moves nothing", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED", "SUCCESS")
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "authorized" })
      yield* captureIntent(as(seller), id)
      yield* walk(id, "SUCCESS")
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "succeeded" })
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("the list of payments", () => {
  it.effect("pages newest first through what the caller takes part in", () =>
    Effect.gen(function* () {
      yield* seed()
      const made = yield* Effect.forEach([1, 2, 3, 4, 5], () => create())
      const newest = made.map(({ id }) => id).toReversed()
      const first = yield* listIntents(as(seller), { limit: 2 })
      expect(first.data.map(({ id }) => id)).toEqual(newest.slice(0, 2))
      expect(first.has_more).toBe(true)
      const rest = yield* listIntents(as(seller), { starting_after: newest[1] ?? "" })
      expect(rest.data.map(({ id }) => id)).toEqual(newest.slice(2))
      expect(rest.has_more).toBe(false)
      expect((yield* listIntents(as(stranger), {})).data).toEqual([])
      yield* TestClock.adjust("15 minutes")
      expect((yield* listIntents(as(buyer), { status: "expired" })).data.length).toBe(5)
      expect((yield* listIntents(as(buyer), { status: "qr_generated" })).data).toEqual([])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("goes on behind nothing but a payment that the caller takes part in", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      const after = (caller: typeof buyer, starting_after: string) =>
        listIntents(as(caller), { starting_after })
      expect((yield* after(buyer, id)).data).toEqual([])
      expect(yield* codeOf(after(stranger, id))).toBe("INVALID_QUERY")
      for (const unknown of [`pi_${service.id}`, service.id, "pi_1"]) {
        expect(yield* codeOf(after(buyer, unknown))).toBe("INVALID_QUERY")
      }
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
