import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Channels } from "../../../core/ports/Channels.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { type ChannelFaults, Sandbox } from "../../../core/ports/Sandbox.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { codeOf } from "../../support/world.ts"
import {
  capture,
  later,
  makeLine,
  oneTime,
  process,
  request,
  sandboxWorld,
  seller,
  simulate,
  statusOf,
  storage,
} from "./sandboxWorld.ts"

const fault = (faults: Partial<ChannelFaults>, channel = "wallet_a") =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.setFaults(channel, faults))

const charge = Effect.map(
  Effect.flatMap(Documents, (documents) =>
    documents.page("sandbox_charge", { prefix: "", after: "", limit: 99 }),
  ),
  ([document]) => document?.body as { readonly state: string; readonly effects: object },
)

const authorized = Effect.gen(function* () {
  const { id } = yield* request()
  yield* simulate(id, "pay")
  return id
})

describe("a channel with a fault", () => {
  it.effect.each(["down", "rate_limited"] as const)("that is %s takes nothing new", (name) =>
    Effect.gen(function* () {
      yield* fault({ [name]: true })
      const channels = yield* Channels
      expect(yield* channels.health("wallet_a")).toBe(name)
      expect(yield* channels.health("wallet_b")).toBe("up")
      expect(yield* codeOf(request())).toBe("CHANNEL_TEMPORARILY_UNAVAILABLE")
      yield* fault({ [name]: false })
      expect(yield* codeOf(request())).toBe("succeeded")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("refuses our credentials, for new payments and for captures", () =>
    Effect.gen(function* () {
      const id = yield* authorized
      yield* fault({ credentials_invalid: true })
      expect(yield* codeOf(request())).toBe("CHANNEL_CONFIGURATION_ERROR")
      expect(yield* codeOf(capture(id))).toBe("CHANNEL_ERROR")
      yield* voidIntent(seller, id)
      yield* runDue()
      expect(yield* charge).toMatchObject({ state: "authorized" })
      yield* fault({ credentials_invalid: false })
      yield* later(2 * MINUTE)
      expect(yield* charge).toMatchObject({ state: "released" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("fails the payment whose QR code or link it cannot make", () =>
    Effect.gen(function* () {
      yield* fault({ qr_fails: true, deeplink_fails: true })
      expect(yield* request()).toMatchObject({
        status: "failed",
        failure_code: "QR_GENERATION_FAILED",
      })
      expect(yield* oneTime).toMatchObject({ status: "failed" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("loses its answer: the capture is made once and found out by asking", () =>
    Effect.gen(function* () {
      const id = yield* authorized
      yield* fault({ timeout: true })
      expect(yield* capture(id)).toMatchObject({ status: "authorized", channel_outcome: "unknown" })
      expect(yield* charge).toMatchObject({ state: "captured" })
      yield* later(SECOND)
      expect(yield* statusOf(id)).toBe("captured")
      yield* later(SECOND)
      expect(yield* statusOf(id)).toBe("succeeded")
      expect(Object.keys((yield* charge).effects)).toHaveLength(1)
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("that was down for a capture is asked again until it is made", () =>
    Effect.gen(function* () {
      const id = yield* authorized
      yield* fault({ down: true })
      expect(yield* capture(id)).toMatchObject({ channel_outcome: "unknown" })
      yield* later(10 * MINUTE)
      expect(yield* getIntent(seller, id)).toMatchObject({ channel_outcome: "unknown" })
      yield* fault({ down: false })
      yield* later(5 * MINUTE)
      expect(yield* statusOf(id)).toBe("captured")
      yield* later(2 * SECOND)
      expect(yield* statusOf(id)).toBe("succeeded")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("settles only when it is told to", () =>
    Effect.gen(function* () {
      yield* fault({ settle: "manual" })
      const id = yield* authorized
      yield* capture(id)
      yield* later(60 * MINUTE)
      expect(yield* statusOf(id)).toBe("captured")
      yield* simulate(id, "settle")
      expect(yield* statusOf(id)).toBe("succeeded")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("calls back twice, which changes nothing", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      yield* fault({ duplicate_callbacks: true })
      const id = yield* authorized
      yield* capture(id)
      yield* later(2 * SECOND)
      expect(yield* statusOf(id)).toBe("succeeded")
      expect(line.sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
      expect(new Set(line.sent.map(({ body }) => body)).size).toBe(3)
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("that does not exist cannot be given one", () =>
    codeOf(fault({ down: true }, "wallet_z")).pipe(
      Effect.map((code) => expect(code).toBe("NOT_FOUND")),
      Effect.provide(sandboxWorld()),
    ),
  )
})

describe("secrets and faults", () => {
  const channels = Effect.flatMap(Sandbox, (sandbox) => sandbox.channels())

  it.effect("are the same after a restart, and never stored as they are", () =>
    Effect.gen(function* () {
      const before = yield* Effect.provide(
        Effect.andThen(fault({ down: true, settle: "manual" }), channels),
        process(),
      )
      const after = yield* Effect.provide(channels, process())
      expect(after).toEqual(before)
      expect(after).toHaveLength(13)
      expect(new Set(after.map(({ secret }) => secret)).size).toBe(13)
      expect(after[0]?.channel).toBe("wallet_a")
      expect(after[0]?.faults).toMatchObject({ down: true, settle: "manual" })
      const stored = yield* (yield* Documents).page("sandbox", {
        prefix: "",
        after: "",
        limit: 99,
      })
      for (const { secret } of after) expect(JSON.stringify(stored)).not.toContain(secret)
    }).pipe(Effect.provide(storage)),
  )

  it.effect("of another process show within a second", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(process())
      const other = yield* Layer.build(process())
      yield* Effect.provideContext(fault({ down: true }), other)
      const health = Effect.provideContext(
        Effect.flatMap(Channels, (port) => port.health("wallet_a")),
        context,
      )
      expect(yield* health).toBe("up")
      yield* TestClock.adjust("1 second")
      expect(yield* health).toBe("down")
    }).pipe(Effect.provide(storage)),
  )
})
