import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChannelAction } from "../../../core/gateway/ChannelCall.ts"
import { Channels, type ChannelRefusal, type StatementLine } from "../../../core/ports/Channels.ts"
import { type ChannelFaults, Sandbox } from "../../../core/ports/Sandbox.ts"
import { T0 } from "../../support/records.ts"
import { DAY, toIso } from "../../../core/shared/Timestamp.ts"
import { capture, later, oneTime, request, sandboxWorld, simulate } from "./sandboxWorld.ts"

const today = toIso(T0).slice(0, 10)
const tomorrow = toIso(T0 + DAY).slice(0, 10)
const amount = { currency: "USD", value: 699 }

const fault = (faults: Partial<ChannelFaults>) =>
  Effect.flatMap(Sandbox, (sandbox) => sandbox.setFaults("wallet_a", faults))

const query = (id: string, channel = "wallet_a") =>
  Effect.flatMap(Channels, (channels) =>
    channels.query({ channel, out_trade_no: id, charge_id: id }),
  )

type Lines = Effect.Effect<ReadonlyArray<StatementLine>, ChannelRefusal, Channels>

/** All lines of a day, however many pages they take. */
const statement = (day: string, channel = "wallet_a", cursor: string | null = null): Lines =>
  Effect.gen(function* () {
    const { lines, next } = yield* (yield* Channels).statement(channel, day, cursor)
    return next === null ? lines : [...lines, ...(yield* statement(day, channel, next))]
  })

const reasonOf = <A, R>(self: Effect.Effect<A, ChannelRefusal, R>) =>
  Effect.map(Effect.flip(self), ({ reason }) => reason)

const call = (id: string, number: string, action: ChannelAction, value = amount.value) =>
  Effect.flatMap(Channels, (channels) =>
    channels.call({
      number,
      action,
      channel: "wallet_a",
      out_trade_no: id,
      charge_id: id,
      trade_no: null,
      amount: { ...amount, value },
      mandate: null,
    }),
  )

const refund = (id: string, number: string, value: number) => call(id, number, "refund", value)

describe("a channel that is asked about a charge", () => {
  it.effect("says what its books hold, from the payer's first act to the refund", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      expect(yield* query(id)).toEqual({ type: "not_found" })
      yield* simulate(id, "scan")
      expect(yield* query(id)).toMatchObject({
        type: "known",
        trade: { out_trade_no: id, amount, refunded: 0, status: "unpaid" },
      })
      yield* simulate(id, "authorize")
      expect(yield* query(id)).toMatchObject({
        trade: { status: "held", payer: { payer_id: "wallet_a_payer" } },
      })
      yield* capture(id)
      expect(yield* query(id)).toMatchObject({ trade: { status: "paid" } })
      yield* later(2_000)
      yield* refund(id, "creq_1", 200)
      expect(yield* query(id)).toMatchObject({ trade: { status: "settled", refunded: 200 } })
      yield* refund(id, "creq_2", 499)
      expect(yield* query(id)).toMatchObject({ trade: { status: "settled", refunded: 699 } })
      expect(yield* query(id, "wallet_b")).toEqual({ type: "not_found" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("has nothing left to release where a charge was closed with its hold", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "authorize")
      expect(yield* call(id, "creq_1", "close")).toMatchObject({ type: "done" })
      expect(yield* call(id, "creq_2", "release")).toMatchObject({ type: "done" })
      expect(yield* query(id)).toMatchObject({ trade: { status: "closed" } })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("says that a charge was rejected, and nothing while it is away", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "reject")
      expect(yield* query(id)).toMatchObject({ trade: { status: "closed", reason: "REJECTED" } })
      yield* fault({ down: true })
      expect(yield* query(id)).toMatchObject({ type: "unknown" })
      expect(yield* reasonOf(statement(today))).toBe("down")
    }).pipe(Effect.provide(sandboxWorld())),
  )
})

describe("a channel's statement", () => {
  it.effect("has a line for what was taken and for what went back, on their days", () =>
    Effect.gen(function* () {
      yield* fault({ settle: "manual" })
      const { id } = yield* request()
      yield* simulate(id, "authorize")
      expect(yield* statement(today)).toEqual([])
      yield* capture(id)
      expect(yield* statement(today)).toMatchObject([
        { kind: "payment", out_trade_no: id, amount, status: "pending", at: T0 },
      ])
      yield* simulate(id, "settle")
      const { id: link } = yield* oneTime
      yield* simulate(link, "pay")
      yield* later(DAY)
      yield* refund(id, "creq_1", 200)
      yield* refund(id, "creq_2", 500)
      const lines = yield* statement(today)
      expect(lines).toHaveLength(2)
      expect(lines.find((line) => line.out_trade_no === id)).toMatchObject({ status: "settled" })
      expect(lines.find((line) => line.out_trade_no === link)).toMatchObject({
        kind: "payment",
        number: null,
        status: "settled",
        amount: { currency: "USD", value: 699 },
      })
      expect(yield* statement(tomorrow)).toEqual([
        expect.objectContaining({
          kind: "refund",
          number: "creq_1",
          amount: { ...amount, value: 200 },
        }),
      ])
      expect(yield* statement(today, "wallet_b")).toEqual([])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("loses and changes every other line when it is told to", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 3; n++) {
        const { id } = yield* request()
        yield* simulate(id, "authorize")
        yield* capture(id)
      }
      yield* fault({ statement_changes: true })
      expect((yield* statement(today)).map((line) => line.amount.value)).toEqual([700, 699, 700])
      yield* fault({ statement_drops: true })
      expect((yield* statement(today)).map((line) => line.amount.value)).toEqual([699])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("goes on from page to page", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.forEach(
        Array.from({ length: 501 }),
        Effect.fnUntraced(function* () {
          const { id } = yield* request()
          yield* simulate(id, "authorize")
          yield* capture(id)
          return id
        }),
      )
      const lines = yield* statement(today)
      expect(new Set(lines.map((line) => line.out_trade_no))).toEqual(new Set(ids))
      expect(lines).toHaveLength(501)
    }).pipe(Effect.provide(sandboxWorld())),
  )
})
