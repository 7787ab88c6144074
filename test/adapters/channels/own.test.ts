import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { connectOwnChannel } from "../../../adapters/channels/own/connectOwnChannel.ts"
import type { OwnChannel } from "../../../adapters/channels/own/OwnChannel.ts"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import * as wallClock from "../../../adapters/webhooks/wallClock.ts"
import { type ChannelCall, ChannelRefusal, type Channels } from "../../../core/ports/Channels.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { aBank } from "../../apps/payport/aBank.ts"

type Service = Channels["Service"]

const amount = { currency: "USD", value: 699 }
const at = "2026-01-31T08:00:00+01:00"
const done = { status: "done", trade_no: "t1", at }
const wasDone = { type: "done", trade_no: "t1", at: Date.UTC(2026, 0, 31, 7) }
const unknown = { type: "unknown" }

const call = (action: ChannelCall["action"]): ChannelCall => ({
  number: "creq_1",
  action,
  channel: "own_bank",
  out_trade_no: "pi_1",
  charge_id: "qr_1",
  trade_no: null,
  amount,
  mandate: action === "debit" ? "mnd_1" : null,
})

const mandate = {
  channel: "own_bank",
  mandate_id: "mnd_1",
  agent_id: "ada",
  service_id: "s1",
  auto_pay_limit: amount,
  spend_cap: null,
}
const charge = { channel: "own_bank", out_trade_no: "pi_1", charge_id: "qr_1" }
const line = {
  kind: "payment",
  out_trade_no: "pi_1",
  trade_no: "t1",
  number: null,
  amount,
  status: "settled",
  at: new Date(0),
}

/** The bank's channel with the same answer from every function. */
const answering = (answer: unknown) =>
  Effect.map(WallClock, (clock) => {
    const run = (() => answer) as never
    const [capture, release, close, refund, inquire] = [run, run, run, run, run]
    const debits = { debit: run, requestMandate: run, inquireMandate: run, revokeMandate: run }
    const given = { capture, release, close, refund, inquire, debits }
    const { definition } = aBank({ ...given, inquireCharge: run, statement: run })
    return connectOwnChannel(definition, clock, currencies)
  }).pipe(Effect.provide(wallClock.layer))

const own = (given: Partial<OwnChannel>) =>
  Effect.map(WallClock, (clock) => connectOwnChannel(aBank(given).definition, clock, currencies))

const throwing = (error: unknown) => () => Promise.reject(error)
const refused = (reason: ChannelRefusal["reason"]) =>
  throwing(new ChannelRefusal({ reason, message: "No." }))

describe("what a function of a channel answers", () => {
  const held = { status: "held", amount, refunded: 0, trade_no: "t1" }
  const payer = { payer_id: "p", wallet_id: "w" }
  const url = "https://bank.example/approve"
  const ask = (service: Service) => service.ask(call("refund"))
  const query = (service: Service) => service.query(charge)
  const approve = (service: Service) => service.requestMandate(mandate)
  it.effect.each<[string, (service: Service) => Effect.Effect<unknown, unknown>, unknown, object]>([
    ["a capture", (s) => s.call(call("capture")), done, wasDone],
    ["a release", (s) => s.call(call("release")), { status: "pending" }, { type: "pending" }],
    ["a close", (s) => s.call(call("close")), { status: "refused" }, { type: "refused" }],
    ["a debit", (s) => s.call(call("debit")), done, wasDone],
    ["a refund without its time", (s) => s.call(call("refund")), { ...done, at: "soon" }, unknown],
    ["a refund without its trade", (s) => s.call(call("refund")), { status: "done", at }, unknown],
    ["a refund not found", (s) => s.call(call("refund")), { status: "not_found" }, unknown],
    ["a question", ask, done, wasDone],
    ["a question about nothing", ask, { status: "not_found" }, { type: "not_found" }],
    ["a question about what", ask, { status: "maybe" }, unknown],
    ["a charge", query, held, { type: "known", trade: { out_trade_no: "pi_1", status: "held" } }],
    ["no charge", query, { status: "not_found" }, { type: "not_found" }],
    ["a charge that gave back more", query, { ...held, refunded: 700 }, unknown],
    ["a charge in fractions", query, { ...held, amount: { ...amount, value: 6.99 } }, unknown],
    ["a charge paid without a trade", query, { ...held, trade_no: null }, unknown],
    ["a payer", (s) => s.payerOf("own_bank", "pi_1"), { ...held, payer }, payer],
    [
      "a mandate",
      approve,
      { status: "pending", approval_url: url },
      { type: "known", status: "pending", approval_url: url },
    ],
    ["a script", approve, { status: "pending", approval_url: "javascript:alert(1)" }, unknown],
    ["no mandate", (s) => s.askMandate(mandate), { status: "not_found" }, { type: "not_found" }],
    ["an end", (s) => s.revokeMandate(mandate), { status: "revoked" }, { status: "revoked" }],
    [
      "a statement",
      (s) => s.statement("own_bank", "1970-01-01", null),
      { lines: [line], next: null },
      { lines: [{ ...line, at: 0 }], next: null },
    ],
  ])("%s is decoded", ([_name, asked, answer, expected]) =>
    Effect.gen(function* () {
      expect(yield* asked(yield* answering(answer))).toMatchObject(expected)
    }),
  )
})

it.layer(wallClock.layer)("a channel of the host's", (test) => {
  test.effect("that has lost its access has taken nothing, and may have given back", () =>
    Effect.gen(function* () {
      const service = yield* own({
        capture: refused("credentials"),
        refund: refused("credentials"),
      })
      expect(yield* service.call(call("capture"))).toMatchObject({ type: "refused" })
      expect(yield* service.call(call("refund"))).toMatchObject({ type: "unknown" })
    }),
  )

  test.effect("that is over its rate is left alone for as long as it says", () =>
    Effect.gen(function* () {
      const busy = new ChannelRefusal({ reason: "rate_limited", message: "", retry_after: 1e9 })
      const service = yield* own({ refund: throwing(busy) })
      yield* service.call(call("refund"))
      expect(yield* service.health("own_bank")).toBe("rate_limited")
      const { message } = yield* Effect.flip(service.statement("own_bank", "1970-01-01", null))
      expect(message).toContain("3600 s")
    }),
  )

  test.effect("that fails five times in a row is down, and asked no more", () =>
    Effect.gen(function* () {
      let asked = 0
      const inquire = () => {
        asked++
        throw new Error("away")
      }
      const service = yield* own({ inquire })
      for (let n = 0; n < 7; n++) yield* service.ask(call("refund"))
      expect([asked, yield* service.health("own_bank")]).toEqual([5, "down"])
    }),
  )

  test.effect("without debits approves no mandate, and debits nothing", () =>
    Effect.gen(function* () {
      const service = yield* own({})
      expect(yield* service.requestMandate(mandate)).toMatchObject({ status: "revoked" })
      expect(yield* service.call(call("debit"))).toMatchObject({ type: "refused" })
    }),
  )
})
