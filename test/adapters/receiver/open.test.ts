import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  fingerprintOf,
  open,
  type OpenOptions,
  WebhookError,
  type WebhookKey,
} from "../../../adapters/receiver/webhooks.ts"
import {
  aKeyPair,
  anEvent,
  box,
  type Delivery,
  encrypted,
  encryptedBody,
  NOW,
  schemeA,
  schemeB,
  SECRET,
} from "./deliveries.ts"
import { codeOf } from "./refusals.ts"

const INVALID = "webhook_signature_invalid"
const FAILED = "webhook_decryption_failed"
const NOT_FOUND = "webhook_key_not_found"
const PAYLOAD = "webhook_payload_invalid"

const options = (keys: ReadonlyArray<WebhookKey> = []): OpenOptions => ({
  secrets: SECRET,
  keys,
  now: () => NOW,
})
const event = anEvent()
const [mine, other] = [aKeyPair(), aKeyPair()]
const keys = [other.secretKey, mine.secretKey]
const judged = (delivery: Delivery, held: ReadonlyArray<WebhookKey> = keys) =>
  codeOf(() => open(delivery, options(held)))

describe("an event comes out of every envelope", () => {
  const { created, data, id, type } = event
  test.each([
    ["payments", event],
    ["KYC", { ...event, created_at: "2026-03-01T11:59:59.000Z" }],
    ["revocations", { id, event: type, data, created }],
  ])("%s", (_, envelope) => {
    expect(open(schemeA(envelope), options())).toEqual(event)
    expect(open(schemeB(envelope), options())).toEqual(event)
    expect(open(encrypted(envelope, mine), options(keys))).toEqual(event)
  })
})

test("what was encrypted may hold its data under object, as only that does", () => {
  const wrapped = anEvent({ data: { object: event.data } })
  expect(open(encrypted(wrapped, mine), options(keys))).toEqual(event)
  expect(open(schemeA(wrapped), options())).toEqual(wrapped)
  const beside = anEvent({ data: { object: {}, more: 1 } })
  expect(open(encrypted(beside, mine), options(keys))).toEqual(beside)
})

describe("properly signed, and yet no event", () => {
  const { id: _, ...anonymous } = event
  test.each([
    ["no JSON", Buffer.from("hello")],
    ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["a byte order mark", Buffer.from(`\uFEFF${JSON.stringify(event)}`)],
    ["nothing", Buffer.alloc(0)],
    ["a list", Buffer.from("[]")],
    ["null", Buffer.from("null")],
    ["no id", anonymous],
    ["an id with a line break", anEvent({ id: "evt_1\n" })],
    ["an endless id", anEvent({ id: "e".repeat(201) })],
    ["no type", anEvent({ type: undefined })],
    ["an empty type", anEvent({ type: "" })],
    ["no data", anEvent({ data: null })],
    ["a list for data", anEvent({ data: [] })],
    ["no time", anEvent({ created: undefined })],
    ["a time that is no whole number", anEvent({ created: 1.5 })],
  ])("%s", (_, payload) => {
    expect(judged(schemeA(payload))).toBe(PAYLOAD)
    const text = Buffer.isBuffer(payload) ? payload.toString("latin1") : JSON.stringify(payload)
    expect(judged(encrypted(text, mine))).toBe(PAYLOAD)
  })
})

describe("an encrypted event", () => {
  test.each([
    ["bytes", mine.secretKey],
    ["base64", Buffer.from(mine.secretKey).toString("base64")],
    ["bytes with an id", { secretKey: mine.secretKey, id: "whk_9" }],
    ["base64 with an id", { secretKey: Buffer.from(mine.secretKey).toString("base64") }],
  ])("opens with a key given as %s", (_, key) => {
    expect(open(encrypted(event, mine), options([other.secretKey, key]))).toEqual(event)
  })

  test("is opened with the key of its fingerprint, or else of its id", () => {
    const renamed = encrypted(event, mine, { key_fingerprint: "fp_unheard-of" })
    expect(judged(renamed)).toBe(NOT_FOUND)
    expect(judged(renamed, [{ secretKey: mine.secretKey, id: "whk_1" }])).toBe("taken")
    const misnamed = [{ secretKey: other.secretKey, id: "whk_1" }, mine.secretKey]
    expect(judged(encrypted(event, mine), misnamed)).toBe("taken")
  })

  test("for a key that is not here says which one", () => {
    expect(judged(encrypted(event, mine), [])).toBe(NOT_FOUND)
    const take = () => open(encrypted(event, mine), options([other.secretKey]))
    expect(take).toThrow(mine.fingerprint)
    expect(take).toThrow(expect.objectContaining({ status: 500 }))
  })

  const whole = encryptedBody(event, mine).ciphertext
  const changed = Buffer.from(whole, "base64")
  changed[60]! ^= 1
  test.each([
    ["for another key", box("{}", other.publicKey)],
    ["that was changed", changed.toString("base64")],
    ["that was cut short", Buffer.from(whole, "base64").subarray(0, -1).toString("base64")],
    ["shorter than any", Buffer.alloc(71).toString("base64")],
    ["that is no base64", `${whole.slice(0, -4)}****`],
    ["in base64url", `${whole}-_`],
    ["with blanks", `${whole} `],
    ["that is empty", ""],
    ["that is no text", 7],
    ["that is not there", undefined],
  ])("with a box %s fails", (_, ciphertext) => {
    expect(judged(encrypted(event, mine, { ciphertext }))).toBe(FAILED)
  })

  test("whose header names another key, or none, was tampered with", () => {
    const body = encryptedBody(event, mine)
    const enc = Buffer.from(other.fingerprint).toString("base64")
    expect(judged(schemeA(body, { enc }))).toBe(INVALID)
    expect(judged(schemeA(body))).toBe(INVALID)
    expect(judged(schemeA(event, { enc }))).toBe(INVALID)
  })

  test("is not looked into before its signature is right", () => {
    const { body } = encrypted(event, mine, { ciphertext: "" })
    expect(judged({ ...schemeA(event), body })).toBe(INVALID)
  })

  test("with a key that is none is the receiver's mistake", () => {
    for (const key of ["", "short", new Uint8Array(31), { secretKey: "a".repeat(44) }]) {
      expect(() => open(encrypted(event, mine), options([key]))).toThrow(TypeError)
    }
  })

  test("names keys as the service does", () => {
    expect(fingerprintOf(mine.publicKey)).toBe(mine.fingerprint)
    expect(fingerprintOf(new Uint8Array(32))).toBe("fp_66687aadf862bd77")
  })
})

test("an id in the headers that is not the event's was changed on the way", () => {
  for (const name of ["Webhook-Id", "x-webhook-id"]) {
    const { body, headers } = schemeB(event)
    expect(judged({ body, headers: { ...headers, [name]: event.id } })).toBe("taken")
    expect(judged({ body, headers: { ...headers, [name]: "evt_another" } })).toBe(INVALID)
  }
})

describe("for any", () => {
  const data = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue())
  const events = fc.record({
    id: fc.stringMatching(/^evt_[0-9a-f-]{1,40}$/),
    type: fc.stringMatching(/^[a-z_]{1,10}\.[a-z_]{1,10}$/),
    data,
    created: fc.nat(),
  })
  /** The value after JSON: the same, except for -0 and a key like __proto__. */
  const written = (value: object): unknown => JSON.parse(JSON.stringify(value))

  test("event, it comes out as it went in, in both schemes, encrypted or not", () => {
    fc.assert(
      fc.property(events, (said) => {
        for (const delivery of [schemeA(said), schemeB(said), encrypted(said, mine)]) {
          expect(open(delivery, options(keys))).toEqual(written(said))
        }
      }),
      { numRuns: 60 },
    )
  })

  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes)
    const bit = at % (bytes.length * 8)
    copy[bit >> 3]! ^= 1 << (bit & 7)
    return copy
  }

  test("bit of the body or of a signature that is flipped, the delivery is refused", () => {
    const headersOf = ["Webhook-Signature", "X-Webhook-Signature"] as const
    fc.assert(
      fc.property(events, fc.boolean(), fc.nat(), (said, sealed, at) => {
        const delivery = sealed ? encrypted(said, mine) : schemeB(said)
        expect(judged({ ...delivery, body: flipped(delivery.body, at) })).toBe(INVALID)
        for (const name of headersOf) {
          const header = delivery.headers[name]
          if (header === undefined) continue
          const bent = flipped(Buffer.from(header, "latin1"), at).toString("latin1")
          const headers = { ...delivery.headers, [name]: bent }
          expect(judged({ ...delivery, headers }), bent).toBe(INVALID)
        }
      }),
      { numRuns: 150 },
    )
  })

  test("bytes and headers, there is an event or a WebhookError", () => {
    const headers = fc.dictionary(
      fc.constantFrom("webhook-signature", "x-webhook-signature", "service-signature", "a"),
      fc.oneof(fc.string({ unit: "binary" }), fc.constant(schemeA().headers["Webhook-Signature"]!)),
    )
    fc.assert(
      fc.property(fc.uint8Array(), headers, (body, headers) => {
        expect(() => open({ body, headers }, options(keys))).toThrow(WebhookError)
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const delivery = schemeA(Buffer.from(JSON.stringify(value)))
        expect(() => open(delivery, options(keys))).toThrow(WebhookError)
      }),
    )
  })
})
