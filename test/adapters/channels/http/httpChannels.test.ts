import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { layer as httpChannels } from "../../../../adapters/channels/http/httpChannels.ts"
import type { HttpChannel } from "../../../../adapters/channels/http/HttpChannel.ts"
import type { Gateway } from "../../../../apps/channel-gateway/gateway.ts"
import { captureIntent } from "../../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../../core/payments/createIntent.ts"
import { getIntent } from "../../../../core/payments/getIntent.ts"
import { type ChannelCall, Channels, type Charge } from "../../../../core/ports/Channels.ts"
import { WallClock } from "../../../../core/ports/WallClock.ts"
import { MINUTE, SECOND, toIso } from "../../../../core/shared/Timestamp.ts"
import { runDue } from "../../../../core/work/runDue.ts"
import { T0 } from "../../../support/records.ts"
import { makeScript } from "../../../support/scriptedChannels.ts"
import { as, codeOf, seed, seller } from "../../../support/world.ts"
import { workWorld } from "../../../core/work/workWorld.ts"
import { gateway, lineTo, over, vault } from "./overGateway.ts"

/** Runs a test with its own gateway. */
const withGateway = (
  test: (gateway: Gateway) => Effect.Effect<unknown, unknown, Channels>,
  said: Partial<HttpChannel> = {},
) =>
  Effect.scoped(
    Effect.flatMap(gateway, (opened) =>
      Effect.provide(test(opened), over(lineTo(opened.url, said))),
    ),
  )

/** Runs a test over a server that answers everything with these. */
const withServer = (
  answer: { readonly status: number; readonly body: string; readonly headers?: object },
  test: Effect.Effect<unknown, unknown, Channels>,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const made = createServer((_request, response) => {
                response.writeHead(answer.status, { ...answer.headers }).end(answer.body)
              })
              made.listen(0, "127.0.0.1", () => resolve(made))
            }),
        ),
        (made) => Effect.sync(() => made.close().closeAllConnections()),
      )
      const { port } = server.address() as AddressInfo
      return yield* Effect.provide(test, over(lineTo(`http://127.0.0.1:${port}`)))
    }),
  )

const amount = { currency: "USD", value: 699 }

const aCharge: Charge = {
  channel: "wallet_a",
  out_trade_no: "pi_1",
  charge_id: "qr_1",
  amount,
  description: "One answer",
  expires_at: T0,
}

const aCall = (said: Partial<ChannelCall> = {}): ChannelCall => ({
  number: "creq_1",
  action: "capture",
  channel: "wallet_a",
  out_trade_no: "pi_1",
  charge_id: "qr_1",
  trade_no: null,
  amount,
  mandate: null,
  ...said,
})

const port = Channels
const call = (said: Partial<ChannelCall> = {}) =>
  Effect.flatMap(port, (channels) => channels.call(aCall(said)))
const ask = Effect.flatMap(port, (channels) => channels.ask(aCall()))
const query = Effect.flatMap(port, (channels) => channels.query(aCharge))
const createQr = Effect.flatMap(port, (channels) => channels.createQr(aCharge))
const health = Effect.flatMap(port, (channels) => channels.health("wallet_a"))
const reason = Effect.map(Effect.flip(createQr), (refusal) => refusal.reason)
const authorized = (opened: Gateway) =>
  Effect.tap(createQr, () => Effect.sync(() => opened.act("wallet_a", "pi_1", "pay")))

describe("a channel over HTTP", () => {
  it.effect("makes a charge, is captured once under a number, and refunds", () =>
    withGateway(
      Effect.fnUntraced(function* (opened) {
        expect(yield* query).toEqual({ type: "not_found" })
        expect(yield* ask).toEqual({ type: "not_found" })
        expect(yield* authorized(opened)).toEqual({ qr_data: "wallet_a://charge/qr_1" })
        expect(yield* query).toMatchObject({
          type: "known",
          trade: { status: "held", amount, payer: { payer_id: "payer-1" } },
        })
        const done = yield* call()
        expect(done).toMatchObject({ type: "done" })
        expect(yield* call()).toEqual(done)
        expect(yield* ask).toEqual(done)
        expect(yield* call({ number: "creq_2" })).toMatchObject({ type: "refused" })
        expect(yield* call({ number: "creq_3", action: "refund" })).toMatchObject({ type: "done" })
        expect(opened.entries.map(({ type }) => type)).toEqual([
          "charge",
          "hold",
          "capture",
          "refund",
        ])
        const today = toIso(yield* Effect.sync(() => Date.now())).slice(0, 10)
        const page = yield* (yield* port).statement("wallet_a", today, null)
        expect(page.next).toBeNull()
        expect(page.lines).toMatchObject([
          { kind: "payment", out_trade_no: "pi_1", number: "creq_1", amount },
          { kind: "refund", out_trade_no: "pi_1", number: "creq_3", amount },
        ])
        expect(yield* (yield* port).statement("wallet_a", "2001-01-01", null)).toEqual({
          lines: [],
          next: null,
        })
      }),
    ),
  )

  it.effect("that does not answer has perhaps done it, and is asked", () =>
    withGateway(
      Effect.fnUntraced(function* (opened) {
        yield* authorized(opened)
        opened.faults("wallet_a").timeout = true
        expect(yield* call()).toMatchObject({ type: "unknown" })
        expect(yield* ask).toMatchObject({ type: "done" })
        expect(opened.entries.filter(({ type }) => type === "capture")).toHaveLength(1)
        expect(
          opened.requests("wallet_a").filter((path) => path === "POST /v1/requests"),
        ).toHaveLength(1)
      }),
      { timeout_ms: 2_000 },
    ),
  )

  it.effect("is left alone after five failures", () =>
    withGateway(
      Effect.fnUntraced(function* (opened) {
        opened.faults("wallet_a").down = true
        expect(yield* health).toBe("up")
        for (let n = 0; n < 5; n++) expect(yield* reason).toBe("down")
        expect(yield* health).toBe("down")
        const before = opened.requests("wallet_a").length
        expect(yield* reason).toBe("down")
        expect(yield* call()).toMatchObject({ type: "unknown" })
        expect(yield* query).toMatchObject({ type: "unknown" })
        expect(opened.requests("wallet_a")).toHaveLength(before)
      }),
    ),
  )

  it.live("is asked up to three times, and called once", () =>
    withGateway(
      Effect.fnUntraced(function* (opened) {
        opened.faults("wallet_a").down = true
        expect(yield* query).toMatchObject({ type: "unknown" })
        expect(opened.requests("wallet_a")).toHaveLength(3)
        expect(yield* call()).toMatchObject({ type: "unknown" })
        expect(opened.requests("wallet_a")).toHaveLength(4)
      }),
    ),
  )

  it.effect("is not sent anything before its Retry-After", () =>
    withGateway(
      Effect.fnUntraced(function* (opened) {
        opened.faults("wallet_a").rate_limited = 30
        const refusal = yield* Effect.flip(createQr)
        expect(refusal).toMatchObject({ reason: "rate_limited", retry_after: 30 })
        expect(yield* health).toBe("rate_limited")
        opened.faults("wallet_a").rate_limited = 0
        expect(yield* reason).toBe("rate_limited")
        expect(opened.requests("wallet_a")).toHaveLength(1)
      }),
    ),
  )

  it.effect("refuses what somebody else has signed", () =>
    withGateway(
      Effect.fnUntraced(function* () {
        expect(yield* reason).toBe("credentials")
        expect(yield* call()).toMatchObject({ type: "refused" })
        expect(yield* call({ action: "release" })).toMatchObject({ type: "unknown" })
        expect(yield* ask).toMatchObject({ type: "unknown" })
      }),
      { secret: Redacted.make("another secret") },
    ),
  )

  it.effect("is tried by one of fifty who come when it may be up again", () => {
    const outside = { ahead: 0 }
    const wall = Layer.succeed(WallClock, { now: Effect.sync(() => Date.now() + outside.ahead) })
    return Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* gateway
        const patient = lineTo(opened.url, { timeout_ms: 8_000 })
        const layer = httpChannels([patient]).pipe(Layer.provide([vault, wall]))
        yield* Effect.gen(function* () {
          const channels = yield* port
          const fifty = Effect.forEach(
            Array.from({ length: 50 }, (_, n) => n),
            (n) => Effect.result(channels.createQr({ ...aCharge, charge_id: `qr_${n}` })),
            { concurrency: "unbounded" },
          )
          const made = Effect.map(fifty, (all) => all.filter(Result.isSuccess).length)
          const tried = () => opened.requests("wallet_a").length
          opened.faults("wallet_a").down = true
          for (let n = 0; n < 5; n++) expect(yield* reason).toBe("down")
          const before = tried()
          expect([yield* made, tried() - before]).toEqual([0, 0])
          outside.ahead += 5 * SECOND
          expect([yield* made, tried() - before]).toEqual([0, 1])
          outside.ahead += 5 * SECOND
          expect([yield* made, tried() - before]).toEqual([0, 1])
          opened.faults("wallet_a").down = false
          outside.ahead += 5 * SECOND
          expect([yield* made, tried() - before]).toEqual([1, 2])
          expect([yield* made, tried() - before]).toEqual([50, 52])
        }).pipe(Effect.provide(layer))
      }),
    )
  })

  it.effect("that is not configured is down", () =>
    withGateway(
      Effect.fnUntraced(function* () {
        const channels = yield* port
        expect(yield* channels.health("wallet_b")).toBe("down")
        expect(yield* channels.call(aCall({ channel: "wallet_b" }))).toMatchObject({
          type: "unknown",
        })
        const signed = channels.readCallback("wallet_b", new Uint8Array(), "")
        expect(yield* codeOf(signed)).toBe("webhook_signature_invalid")
      }),
    ),
  )
})

describe("an answer that is no channel's", () => {
  const forged = JSON.stringify({ number: "creq_1", status: "done", trade_no: "t", at: toIso(T0) })
  it.effect.each([
    ["without a signature", { status: 200, body: forged }],
    ["of not found without a signature", { status: 404, body: "{}" }],
    ["that is a page", { status: 200, body: "<html></html>" }],
    ["that is endless", { status: 200, body: "x".repeat(1_024 * 1_024 + 1) }],
    [
      "that leads elsewhere",
      { status: 302, body: "", headers: { Location: "http://127.0.0.1:9" } },
    ],
    ["of a broken proxy", { status: 502, body: "" }],
  ] as const)("%s says nothing of a capture", ([, answer]) =>
    withServer(
      answer,
      Effect.gen(function* () {
        expect(yield* call()).toMatchObject({ type: "unknown" })
        expect(["nonsense", "down"]).toContain(yield* reason)
      }),
    ),
  )
})

describe("a payment at a channel that never calls back", () => {
  it.effect("is authorized, captured and settled by asking", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* gateway
        const world = Layer.provideMerge(
          over(lineTo(opened.url)),
          workWorld({ script: makeScript() }),
        )
        yield* Effect.gen(function* () {
          const { id: service_id } = yield* seed()
          const { id } = yield* createIntent(as(seller), {
            service_id,
            type: "one_time",
            amount,
            description: "One answer",
            payer_channel: "wallet_a",
          })
          expect(opened.act("wallet_a", id, "pay")).toBe(true)
          yield* TestClock.setTime(T0 + 14.5 * MINUTE)
          yield* runDue()
          expect(yield* getIntent(as(seller), id)).toMatchObject({ status: "authorized" })
          expect(yield* captureIntent(as(seller), id)).toMatchObject({ status: "captured" })
          expect(opened.act("wallet_a", id, "settle")).toBe(true)
          yield* TestClock.setTime(T0 + 15.5 * MINUTE + SECOND)
          yield* runDue()
          expect(yield* getIntent(as(seller), id)).toMatchObject({ status: "succeeded" })
        }).pipe(Effect.provide(world))
      }),
    ),
  )
})
