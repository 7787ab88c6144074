import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { decodeCallback, encodeCallback } from "../../../adapters/channels/codec.ts"
import type { ChannelCallback } from "../../../core/gateway/ChannelCallback.ts"
import { receiveCallback } from "../../../core/dispatch/receiveCallback.ts"
import { T0 } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"
import { request, sandboxWorld, signed } from "./sandboxWorld.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const data = {
  out_trade_no: "pi_1",
  trade_no: "t-1",
  total_amount: "6.99",
  trade_status: "SUCCESS",
}

const native = (said: object = {}, outer: object = {}) =>
  bytes(
    JSON.stringify({
      channel: "wallet_a",
      event: "trade_status",
      data: { ...data, ...said },
      ...outer,
    }),
  )

const refusal = (body: Uint8Array) => {
  const decoded = decodeCallback("wallet_a", body)
  return Result.isFailure(decoded)
    ? [decoded.failure.code, decoded.failure.field]
    : ["decoded", undefined]
}

const least: ChannelCallback = {
  channel: "wallet_a",
  out_trade_no: "pi_1",
  trade_no: "t-1",
  total_amount: "6.99",
  trade_status: "SUCCESS",
}

const full: ChannelCallback = {
  ...least,
  currency: "USD",
  payer_id: "p",
  wallet_id: "w",
  paid_at: T0,
}

describe("the default codec", () => {
  it("reads back what it writes", () => {
    expect(decodeCallback("wallet_a", encodeCallback(full))).toEqual(Result.succeed(full))
    expect(decodeCallback("wallet_a", encodeCallback(least))).toEqual(Result.succeed(least))
  })

  it("writes the native fields", () => {
    expect(JSON.parse(new TextDecoder().decode(encodeCallback(full)))).toEqual({
      channel: "wallet_a",
      event: "trade_status",
      data: {
        ...data,
        currency: "USD",
        payer_id: "p",
        wallet_id: "w",
        receipt_amount: "6.99",
        pay_date: "2026-01-01T00:00:00.000Z",
      },
    })
  })

  it("drops fields that it does not know", () => {
    const decoded = decodeCallback("wallet_a", native({ note: "x" }, { sent_by: "y" }))
    expect(decoded).toEqual(Result.succeed({ channel: "wallet_a", ...data }))
  })

  it.each<[string, Uint8Array]>([
    ["nothing", bytes("")],
    ["no JSON", bytes("{")],
    ["a list", bytes("[]")],
    ["null", bytes("null")],
    ["a byte order mark", bytes("\ufeff{}")],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["a NUL", native({ trade_no: "a\0b" })],
    ["half a surrogate pair", bytes(String.raw`{"channel":"\ud800"}`)],
    ["a __proto__ key", bytes('{"__proto__":{"channel":"wallet_a"}}')],
    ["33 levels", bytes(`{"a":${"[".repeat(33)}${"]".repeat(33)}}`)],
  ])("refuses %s as INVALID_JSON", (_, body) => {
    expect(refusal(body)).toEqual(["INVALID_JSON", undefined])
  })

  it.each<[object, object, string]>([
    [{ total_amount: 6.99 }, {}, "data.total_amount"],
    [{ total_amount: "-6.99" }, {}, "data.total_amount"],
    [{ total_amount: "6,99" }, {}, "data.total_amount"],
    [{ total_amount: "1e3" }, {}, "data.total_amount"],
    [{ trade_status: "PAID" }, {}, "data.trade_status"],
    [{ trade_no: "" }, {}, "data.trade_no"],
    [{ trade_no: "x".repeat(129) }, {}, "data.trade_no"],
    [{ out_trade_no: null }, {}, "data.out_trade_no"],
    [{ currency: "usd" }, {}, "data.currency"],
    [{ pay_date: "yesterday" }, {}, "data.pay_date"],
    [{ payer_id: "a\u202eb" }, {}, "data.payer_id"],
    [{}, { event: "refund" }, "event"],
    [{}, { data: [] }, "data"],
  ])("refuses %o %o as INVALID_REQUEST", (said, outer, field) => {
    const [code, named] = refusal(native(said, outer))
    expect(named).toBe(field)
    expect(["INVALID_REQUEST", "MISSING_REQUIRED_FIELD"]).toContain(code)
  })

  it("refuses a body that speaks for another channel", () => {
    expect(refusal(native({}, { channel: "wallet_b" }))).toEqual(["CHANNEL_MISMATCH", undefined])
  })
})

describe("a callback's signature", () => {
  it.effect("is checked over the bytes as sent, before anything is read", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      const { body, signature } = yield* signed({
        ...full,
        out_trade_no: id,
        trade_status: "SCANNED",
      })
      const send = (bodySent: Uint8Array, said: string | undefined, channel = "wallet_a") =>
        codeOf(receiveCallback(channel, bodySent, said))
      const changed = Uint8Array.from(body)
      changed[10] = 0x20
      expect(yield* send(body, undefined)).toBe("webhook_signature_invalid")
      expect(yield* send(body, "")).toBe("webhook_signature_invalid")
      expect(yield* send(body, signature.slice(1))).toBe("webhook_signature_invalid")
      expect(yield* send(changed, signature)).toBe("webhook_signature_invalid")
      expect(yield* send(bytes("{"), signature)).toBe("webhook_signature_invalid")
      expect(yield* send(body, signature, "wallet_b")).toBe("webhook_signature_invalid")
      expect(yield* send(body, signature, "wallet_z")).toBe("NOT_FOUND")
      expect(yield* send(body, signature.toUpperCase())).toBe("succeeded")
    }).pipe(Effect.provide(sandboxWorld())),
  )
})
